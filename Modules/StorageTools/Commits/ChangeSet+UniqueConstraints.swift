public import CofferStorage

extension ChangeSet {
    /// A row that has the values of a row to insert in a unique constraint.
    public struct UniqueMatch: Hashable, Sendable {
        /// The index of the constraint in `EntityLayout.uniqueConstraints`.
        public var constraint: Int
        /// The key of the row that has the values.
        public var key: Int64
        /// The index of that row's entity.
        public var entity: Int

        /// A row that has the values of another.
        public init(constraint: Int, key: Int64, entity: Int) {
            self.constraint = constraint
            self.key = key
            self.entity = entity
        }
    }

    /// What to do with inserts that have the unique values of another row, for a constraint of a root entity.
    public func uniqueConstraintPolicy(constraint: Int, root: Int) -> UniqueConstraintPolicy {
        guard !uniqueConstraintPolicies.isEmpty, let policies = uniqueConstraintPolicies[root],
            policies.indices.contains(constraint)
        else { return .merge }
        return policies[constraint]
    }

    /// Decides what becomes of a row to insert, given the other rows that have its unique values.
    ///
    /// A row may match several constraints. Then `throwError` wins over `keepStored`, and `keepStored` over `merge`.
    ///
    /// - Parameter matches: one for each constraint whose values another row has.
    /// - Returns: the row that takes the place of the new one, and whether it keeps its values; nil without matches.
    /// - Throws: `uniqueViolation` when a policy says so, when the matches are different rows, or when the other row is
    ///   of an entity that cannot hold the values.
    public func merge(
        of row: Row, matching matches: [UniqueMatch], _ layout: ModelLayout
    ) throws(StorageError) -> CommitResult.Merge? {
        guard let match = matches.first else { return nil }
        let root = layout.entities[row.entity].root
        let refusing = matches.filter { uniqueConstraintPolicy(constraint: $0.constraint, root: root) == .throwError }
        guard refusing.isEmpty else {
            throw .uniqueViolation(layout, entity: row.entity, constraints: refusing.map(\.constraint))
        }
        guard matches.allSatisfy({ $0.key == match.key }) else {
            throw .uniqueViolation(layout, entity: row.entity, constraints: matches.map(\.constraint))
        }
        guard layout.entity(match.entity, isKindOf: row.entity) else {
            throw .uniqueViolation(
                layout, entity: row.entity, constraints: matches.map(\.constraint), heldBy: match.entity)
        }
        let isKept = matches.contains { uniqueConstraintPolicy(constraint: $0.constraint, root: root) == .keepStored }
        return CommitResult.Merge(root: root, from: row.key, into: match.key, isKept: isKept)
    }
}

extension StorageError {
    /// A row breaks some unique constraints of its entity.
    ///
    /// - Parameters:
    ///   - constraints: indexes in `EntityLayout.uniqueConstraints`.
    ///   - holder: the index of the entity of the other row, where that row cannot hold the values of the new one.
    public static func uniqueViolation(
        _ layout: ModelLayout, entity: Int, constraints: [Int], heldBy holder: Int? = nil
    ) -> StorageError {
        let entity = layout.entities[entity]
        let root = layout.entities[entity.root].name
        let violated = constraints.map { constraint in
            ViolatedConstraint(
                entity: root, attributes: entity.uniqueConstraints[constraint].map { entity.columns[$0].name })
        }
        let names = violated.map { constraint in
            constraint.attributes.count == 1
                ? "'\(root).\(constraint.attributes[0])'"
                : "'\(root)' (\(constraint.attributes.joined(separator: ", ")))"
        }
        let name = names.isEmpty ? "'\(entity.name)'" : names.joined(separator: " and ")
        let place =
            holder.map { "in a '\(layout.entities[$0].name)', which is no '\(entity.name)'" } ?? "in another row"
        var error = StorageError(
            .uniqueViolation,
            "\(name) \(names.count > 1 ? "have" : "has") this value already, \(place). Change one of them or merge the two."
        )
        error.violatedConstraints = violated
        return error
    }
}
