/// The policy for a new object with the same unique values as a stored object: merge, throw or keep.
///
/// ```swift
/// Entity<Account>("Account", uniqueConstraints: [[\.$email]: .throwError])
/// ```
///
/// A constraint of the schema has a policy. The options of a transaction can replace the policies of all constraints. A
/// policy is not a part of the model: it changes no version hash, and no store keeps it.
///
/// A policy applies to *new* objects. If a change gives an object the unique values of another object, the commit
/// always throws `uniqueViolation`.
public enum UniqueConstraintPolicy: String, Hashable, Sendable, Codable, CaseIterable {
    /// The values of the new object overwrite the stored values, including nulls and defaults (an upsert).
    ///
    /// This policy is the default, as in CoreStore and Core Data. A user who can create an object can overwrite any
    /// stored object with known unique values. Do not use this policy for values that users enter, such as a sign-up.
    case merge
    /// The commit throws `uniqueViolation`, and nothing is saved.
    case throwError
    /// The stored object does not change, and the values of the new object are discarded.
    case keepStored
}
