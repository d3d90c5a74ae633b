public import CofferStorage

/// Creates entities whose unique constraints have policies: merge, throw or keep the stored object.
extension Entity {
    /// Unique constraints, each as a list of stored fields, with their policies.
    ///
    /// The policy applies to a new object whose values of these fields another object already has.
    public typealias UniqueConstraintPolicies = KeyValuePairs<[PartialKeyPath<O>], UniqueConstraintPolicy>

    /// Creates an entity of class `O` whose unique constraints have policies.
    ///
    /// ```swift
    /// Entity<Account>("Account", uniqueConstraints: [[\.$email]: .throwError])
    /// ```
    ///
    /// With `.throwError`, a transaction that creates a second account with the same e-mail is not saved, and throws
    /// `uniqueViolation`. A policy does not change the version hash. A program can therefore change the policy at any
    /// time, and the stores stay the same. ``TransactionOptions`` can replace the policies for one transaction.
    ///
    /// - Parameters:
    ///   - entityName: the name in the store. It may differ from the name of the class.
    ///   - isAbstract: whether only sub-entities can have objects.
    ///   - versionHashModifier: a string that changes the version hash, although the model does not change.
    ///   - indexes: the compound indexes, each as a list of stored fields.
    ///   - uniqueConstraints: lists of stored fields whose values no two objects may share, with their policies. Only
    ///     the root of an inheritance tree may have constraints.
    public convenience init(
        _ entityName: String, isAbstract: Bool = false, versionHashModifier: String? = nil,
        indexes: [[PartialKeyPath<O>]] = [], uniqueConstraints: UniqueConstraintPolicies
    ) {
        self.init(
            O.self, entityName, isAbstract: isAbstract, versionHashModifier: versionHashModifier, indexes: indexes,
            uniqueConstraints: uniqueConstraints
        )
    }

    /// Creates an entity of a given class whose unique constraints have policies.
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
