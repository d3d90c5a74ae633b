/// What a commit does with a new object whose unique values another object already has.
///
/// ```swift
/// Entity<Account>("Account", uniqueConstraints: [[\.$email]: .throwError])
/// ```
///
/// A constraint has a policy in the schema; the options of a transaction can replace the policies of all constraints. A
/// policy is not a part of the model: it changes no version hash, and no store keeps it.
///
/// A policy is about *new* objects. A change that gives an object the unique values of another one always throws
/// `uniqueViolation`.
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
