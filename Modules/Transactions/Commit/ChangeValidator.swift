import CofferSchema
import CofferStorage
import CofferStorageTools

/// Validates pending changes before a commit: required values, minimum and maximum counts, and denied deletions.
struct ChangeValidator {
    let state: ContextState

    /// Throws an error if the pending changes cannot be saved, whatever their rows contain.
    func check() throws(StorageError) {
        try state.failures.check()
        try checkFailures()
        try checkDeniedDeletions()
        if state.layout.hasCountedRelationships { try checkCounts() }
    }

    /// Throws an error if no store can save a row.
    func validate(_ row: Row, _ columns: ColumnSet?) throws(StorageError) {
        let entity = state.layout.entities[row.entity]
        if entity.requiredSlots.firstNull(in: row) != nil,
            let slot = (columns?.intersection(entity.requiredSlots) ?? entity.requiredSlots).firstNull(in: row)
        {
            throw StorageError(
                .invalidValue,
                "'\(entity.name).\(entity.columns[slot].name)' has no value, but is not optional. Set a value, or use "
                    + "an optional field."
            )
        }
        try entity.checkNumbers(row, in: columns)
    }

    /// Throws the first error of a value that could not be encoded.
    private func checkFailures() throws(StorageError) {
        guard !state.pending.failures.isEmpty else { return }
        let first = state.pending.failures.filter { !$0.value.object.isDeleted }
            .min { ($0.key.owner.key, $0.key.slot) < ($1.key.owner.key, $1.key.slot) }
        if let first { throw first.value.error }
    }

    private func checkDeniedDeletions() throws(StorageError) {
        for denied in state.pending.deniedDeletions {
            let relationship = state.layout.relationships[denied.relationship]
            let remaining = denied.related.first { member in
                !member.isDeleted && state.deltas.isRelated(member, to: denied.object, relationship)
            }
            guard let remaining else { continue }
            throw StorageError(
                .invalidValue,
                "\(denied.object.id) cannot be deleted while '\(relationship.name)' refers to \(remaining.id), because "
                    + "its delete rule is deny. Delete \(remaining.id) first, or remove it from '\(relationship.name)'."
            )
        }
    }

    private func checkCounts() throws(StorageError) {
        for object in state.pending.inserted where !object.isDeleted {
            for index in state.layout.entities[object.row.entity].countedRelationships {
                try checkCount(state.layout.relationships[index], of: object)
            }
        }
        for side in state.pending.counted.sorted() {
            guard let object = try state.finder.object(side.owner), !object.state.contains(.isInserted) else {
                continue
            }
            try checkCount(state.layout.relationships[side.relationship], of: object)
        }
    }

    private func checkCount(_ relationship: RelationshipLayout, of object: CoreStoreObject) throws(StorageError) {
        let count = try state.loader.toMany(relationship, of: object).count
        guard count < relationship.minCount || (relationship.maxCount > 0 && count > relationship.maxCount) else {
            return
        }
        let limits =
            relationship.maxCount > 0
            ? "\(relationship.minCount)…\(relationship.maxCount)" : "at least \(relationship.minCount)"
        throw StorageError(
            .invalidValue,
            "'\(state.layout.entities[object.row.entity].name).\(relationship.name)' of \(object.id) has \(count) "
                + "objects, but \(limits) are required."
        )
    }
}
