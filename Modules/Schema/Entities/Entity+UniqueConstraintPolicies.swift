public import CofferStorage

/// Entities that say what happens to a new object whose unique values another object already has.
extension Entity {
    /// Unique constraints with their policies: each a list of stored fields, and what a commit does with a new object
    /// whose values of these fields another object already has.
    public typealias UniqueConstraintPolicies = KeyValuePairs<[PartialKeyPath<O>], UniqueConstraintPolicy>

    /// An entity of class `O` whose unique constraints have policies.
    ///
    /// ```swift
    /// Entity<Account>("Account", uniqueConstraints: [[\.$email]: .throwError])
    /// ```
    ///
    /// With `.throwError`, a transaction that creates a second account with the same e-mail is not saved and throws a
    /// `uniqueViolation`. A policy does not change the version hash: it can be changed at any time, and the stores stay
    /// as they are. ``TransactionOptions`` can replace the policies for one transaction.
    ///
    /// - Parameters:
    ///   - entityName: the name in the store; need not be the class's.
    ///   - isAbstract: whether only sub-entities have objects.
    ///   - versionHashModifier: changes the version hash when nothing else does.
    ///   - indexes: each a list of stored fields for one compound index.
    ///   - uniqueConstraints: lists of stored fields whose values no two objects share, with their policies. Only the
    ///     root of an inheritance tree may have any.
    public convenience init(
        _ entityName: String, isAbstract: Bool = false, versionHashModifier: String? = nil,
        indexes: [[PartialKeyPath<O>]] = [], uniqueConstraints: UniqueConstraintPolicies
    ) {
        self.init(
            O.self, entityName, isAbstract: isAbstract, versionHashModifier: versionHashModifier, indexes: indexes,
            uniqueConstraints: uniqueConstraints
        )
    }

    /// An entity of a given class whose unique constraints have policies.
    public convenience init(
        _ type: O.Type, _ entityName: String, isAbstract: Bool = false, versionHashModifier: String? = nil,
        indexes: [[PartialKeyPath<O>]] = [], uniqueConstraints: UniqueConstraintPolicies
    ) {
        self.init(
            type: type, entityName: entityName, isAbstract: isAbstract, versionHashModifier: versionHashModifier,
            indexes: indexes.map { $0.map { Self.name($0, entityName) } },
            uniqueConstraints: uniqueConstraints.map { ($0.key.map { Self.name($0, entityName) }, $0.value) }
        )
    }
}
