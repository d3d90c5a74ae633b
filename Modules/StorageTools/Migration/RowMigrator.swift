public import CofferStorage

/// Converts rows and links to the next version of a model; refuses missing values and rows of abstract entities.
///
/// Only one thread at a time may use a migrator.
public final class RowMigrator {
    /// The migration.
    public let migration: ResolvedMigration
    /// The first key that no row has had, by the root of the target.
    public let nextKeys: [Int: Int64]

    private let shifts: [KeyMove: Int64]
    private let tails: [Int]

    /// Creates the migrator of a store.
    ///
    /// - Parameter nextKeys: the first key that no row has had, by the root of the source.
    /// - Throws: `full` if two trees become one tree that does not have enough keys for both.
    public init(_ migration: ResolvedMigration, nextKeys: [Int: Int64]) throws(StorageError) {
        self.migration = migration
        var shifts: [KeyMove: Int64] = [:]
        var next: [Int: Int64] = [:]
        for (root, sources) in migration.resolved.feeds {
            var end: Int64 = 1
            for source in sources {
                let count = max(1, nextKeys[source] ?? 1) - 1
                shifts[KeyMove(source: source, target: root)] = end - 1
                let (sum, isTooFar) = end.addingReportingOverflow(count)
                guard !isTooFar else {
                    throw StorageError(
                        .full,
                        "'\(migration.target.entities[root].name)' does not have enough keys for all migrated rows."
                    )
                }
                end = sum
            }
            next[root] = end
        }
        self.shifts = shifts
        self.nextKeys = next
        tails = migration.resolved.moves.map { $0?.tailOfDefaults ?? 0 }
    }

    /// Converts a row; the result is nil if the row is dropped.
    ///
    /// - Throws: `invalidValue` if a required value is missing, `schemaMismatch` if the row's entity has become
    ///   abstract, and the errors of a transformation.
    public func row(_ row: Row) throws(StorageError) -> Row? {
        guard let move = migration.resolved.moves[row.entity] else { return nil }
        guard !move.target.isAbstract else {
            throw StorageError(
                .schemaMismatch,
                "'\(move.target.name)' is abstract in version '\(migration.plan.target.version)', but there are rows of "
                    + "'\(move.source.name)'. Map '\(move.source.name)' to another entity, or delete the rows first."
            )
        }
        guard let made = try move.transformation == nil ? copied(row, move) : transformed(row, move) else { return nil }
        for (slot, origin) in move.origins.enumerated() {
            switch origin {
            case .reference(let old, let keys):
                if !row.isNull(old), let key = shifted(row.integer(old), keys) { made.write(integer: key, slot) }
            case .copy(let old) where move.transformation != nil && isPosition(move.target.columns[slot]):
                made.copy(slot, .integer, from: row, old)
            case .copy, .widen, .none: break
            }
        }
        return made.build()
    }

    /// Returns the links that replace references of a row.
    public func links(of row: Row) -> [ChangeSet.Link] {
        guard let move = migration.resolved.moves[row.entity], !move.newLinks.isEmpty,
            let own = shifted(row.key, move.keys)
        else {
            return []
        }
        return move.newLinks.flatMap { new -> [ChangeSet.Link] in
            guard !row.isNull(new.slot), let other = shifted(row.integer(new.slot), new.reference) else { return [] }
            let position = new.positionSlot.flatMap { row.isNull($0) ? nil : row.integer($0) }
            let link = ChangeSet.Link(table: new.table, first: own, second: other, secondPosition: position)
            return bothWays(new.isFirst ? link : link.flipped)
        }
    }

    /// Converts a link of the source.
    public func links(_ link: ChangeSet.Link) -> [ChangeSet.Link] {
        migration.resolved.linkMoves[link.table].flatMap { move -> [ChangeSet.Link] in
            guard let first = shifted(link.first, move.first), let second = shifted(link.second, move.second) else {
                return []
            }
            let moved = ChangeSet.Link(
                table: move.table, first: first, second: second, firstPosition: link.firstPosition,
                secondPosition: link.secondPosition)
            return bothWays(move.isFlipped ? moved.flipped : moved)
        }
    }

    /// A link in both directions if its relationship is its own inverse, as in a `ChangeSet`.
    private func bothWays(_ link: ChangeSet.Link) -> [ChangeSet.Link] {
        let table = migration.target.linkTables[link.table]
        guard table.first == table.second, link.first != link.second else { return [link] }
        return [link, link.flipped]
    }

    private func shifted(_ key: Int64, _ keys: KeyMove) -> Int64? {
        shifts[keys].flatMap { shift in
            let (sum, isTooFar) = key.addingReportingOverflow(shift)
            return isTooFar ? nil : sum
        }
    }

    private func isPosition(_ column: Column) -> Bool {
        if case .position = column.role { true } else { false }
    }

    private func copied(_ row: Row, _ move: EntityMove) throws(StorageError) -> RowBuilder? {
        let made = try empty(row, move, tailCapacity: row.tailSize + tails[row.entity])
        for (slot, origin) in move.origins.enumerated() {
            let kind = move.target.kinds[slot]
            switch origin {
            case .copy(let old): made.copy(slot, kind, from: row, old)
            case .widen(let old):
                let value = row.value(old, move.source.kinds[old]).widened(to: kind)
                guard made.write(value, slot, kind) else { throw misfit(slot, row, move) }
            case .reference, .none: break
            }
        }
        for slot in move.filledSlots where made.isNull(slot) { try fill(slot, of: made, row, move) }
        return made
    }

    private func transformed(_ row: Row, _ move: EntityMove) throws(StorageError) -> RowBuilder? {
        let moving = MigratingRow(row, from: move.source, to: move.target, attributes: move.attributes)
        do {
            try move.transformation?(moving)
        } catch let error as StorageError {
            throw error
        } catch {
            throw StorageError(
                .failed, "The transformation of '\(move.source.name)' \(row.key) threw an error.", cause: "\(error)"
            )
        }
        guard let values = moving.values else { return nil }
        let made = try empty(row, move, tailCapacity: values.reduce(0) { $0 + $1.tailSize })
        for (slot, value) in values.enumerated() {
            guard made.write(value, slot, move.target.kinds[slot]) else { throw misfit(slot, row, move) }
            if value.isNull, !move.target.columns[slot].isOptional { throw missing(slot, row, move) }
        }
        return made
    }

    private func empty(_ row: Row, _ move: EntityMove, tailCapacity: Int) throws(StorageError) -> RowBuilder {
        guard let key = shifted(row.key, move.keys) else {
            throw StorageError(.full, "There is no key left for '\(move.target.name)' \(row.key).")
        }
        return RowBuilder(
            entity: move.target.index, key: key, version: row.version, slotCount: move.target.columns.count,
            tailCapacity: tailCapacity
        )
    }

    private func fill(
        _ slot: Int, of made: borrowing RowBuilder, _ row: Row, _ move: EntityMove
    ) throws(StorageError) {
        let column = move.target.columns[slot]
        guard !column.defaultValue.isNull else { throw missing(slot, row, move) }
        guard made.write(column.defaultValue, slot, column.kind) else { throw misfit(slot, row, move) }
    }

    private func missing(_ slot: Int, _ row: Row, _ move: EntityMove) -> StorageError {
        StorageError(
            .invalidValue,
            "'\(move.target.name).\(move.target.columns[slot].name)' has no value in row \(row.key), but version "
                + "'\(migration.plan.target.version)' requires one. Give it a default, make it optional, or map "
                + "'\(move.source.name)' by .transformEntity."
        )
    }

    private func misfit(_ slot: Int, _ row: Row, _ move: EntityMove) -> StorageError {
        StorageError(
            .invalidValue,
            "'\(move.target.name).\(move.target.columns[slot].name)' cannot store the value that the migration sets in "
                + "row \(row.key). Convert the value to \(move.target.kinds[slot].rawValue) first."
        )
    }
}

extension ChangeSet.Link {
    /// The link with exchanged ends.
    fileprivate var flipped: ChangeSet.Link {
        .init(table: table, first: second, second: first, firstPosition: secondPosition, secondPosition: firstPosition)
    }
}
