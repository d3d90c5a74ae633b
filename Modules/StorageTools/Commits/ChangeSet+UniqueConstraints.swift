public import CofferStorage

/// Decides whether an insert violates a unique constraint or is merged; creates the `uniqueViolation` error.
extension ChangeSet {
    /// A row with the same values in a unique constraint as a row to insert.
    public struct UniqueMatch: Hashable, Sendable {
        /// The index of the constraint in `EntityLayout.uniqueConstraints`.
        public var constraint: Int
        /// The key of the row with the same values.
        public var key: Int64
        /// The index of that row's entity.
        public var entity: Int

        /// Creates a match with a row that has the same values.
        public init(constraint: Int, key: Int64, entity: Int) {
            self.constraint = constraint
            self.key = key
            self.entity = entity
        }
    }

    /// The policy for inserts with the unique values of another row, for a constraint of a root entity.
    public func uniqueConstraintPolicy(constraint: Int, root: Int) -> UniqueConstraintPolicy {
        guard !uniqueConstraintPolicies.isEmpty, let policies = uniqueConstraintPolicies[root],
            policies.indices.contains(constraint)
        else { return .merge }
        return policies[constraint]
    }

    /// Decides whether a row to insert is merged into another row with the same unique values.
    ///
    /// A row may match several constraints. In this case, `throwError` has precedence over `keepStored`, and
    /// `keepStored` over `merge`. The inserts of a change set have the effect of inserts one after the other
    /// (`merging/many`, `merging/many-constraints`).
    ///
    /// - Parameter matches: one match for each constraint whose values another row has.
    /// - Returns: the merge into the other row, and whether this row keeps its values; nil if there are no matches.
    /// - Throws: `uniqueViolation` if a policy requires it, if the matches are different rows, or if the entity of the
    ///   other row cannot hold the values.
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
    /// The error for a row that violates unique constraints of its entity.
    ///
    /// - Parameters:
    ///   - constraints: indexes in `EntityLayout.uniqueConstraints`.
    ///   - holder: the index of the entity of the other row, if this entity cannot hold the values of the new row.
    public static func uniqueViolation(
        _ layout: ModelLayout, entity: Int, constraints: [Int], heldBy holder: Int? = nil
    ) -> StorageError {
        let entity = layout.entities[entity]
        let root = layout.entities[entity.root].name
        let violated = constraints.map { constraint in
            ViolatedConstraint(
                entity: root, attributes: entity.uniqueConstraints[constraint].map { entity.columns[$0].name })
        }
        let names = constraints.map { layout.constraintName(root: entity.root, entity.uniqueConstraints[$0]) }
        let name = names.isEmpty ? "'\(entity.name)'" : names.joined(separator: " and ")
        let place =
            holder.map { "a row of '\(layout.entities[$0].name)', not of '\(entity.name)'," } ?? "another row"
        var error = StorageError(
            .uniqueViolation,
            "\(name) must be unique, but \(place) already has this value. Change one of the rows, or merge them."
        )
        error.violatedConstraints = violated
        return error
    }
}
