/// The treatment of a new object that has the same unique values as a stored object.
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
    /// The values of the new object are written over those of the stored one, nulls and defaults included (an upsert).
    ///
    /// The rule of CoreStore and Core Data, and the default. Whoever may create an object may overwrite any stored one
    /// whose unique values are known: do not use this for what users enter, such as a sign-up.
    case merge
    /// Nothing is saved. The commit throws `uniqueViolation`.
    case throwError
    /// The stored object stays as it is. The values of the new object are discarded.
    case keepStored
}
