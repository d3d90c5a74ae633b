import CofferStorage

/// Matches the relationships of two model versions; refuses a changed destination, and a change from to-many to to-one.
extension MigrationResolver {
    mutating func matchByName(_ entity: EntityMigration) {
        guard let before = source.entity(named: entity.source), let after = target.entity(named: entity.target) else {
            return
        }
        for relationship in after.relationships {
            let name = entity.properties[target.relationships[relationship].name]
            guard let old = name.flatMap(before.relationship) else { continue }
            relationships[before.index][relationship] = old
        }
    }

    /// Matches further relationships by their inverses.
    mutating func matchByInverse() {
        let known = pairs
        for move in moves.compactMap(\.self) {
            for relationship in move.target.relationships
            where relationships[move.source.index][relationship] == nil {
                let inverses = known[target.relationships[relationship].inverse] ?? []
                let old = inverses.map { source.relationships[$0].inverse }.sorted()
                    .first(where: move.source.relationships.contains)
                relationships[move.source.index][relationship] = old
            }
        }
    }

    /// For each relationship of the target, its relationships in the source; several if sub-entities had separate ones.
    private var pairs: [Int: Set<Int>] {
        var pairs: [Int: Set<Int>] = [:]
        for matched in relationships {
            for (new, old) in matched { pairs[new, default: []].insert(old) }
        }
        return pairs
    }

    mutating func checkPairs() throws(StorageError) {
        for (new, olds) in pairs.sorted(by: { $0.key < $1.key }) {
            let inverses = pairs[target.relationships[new].inverse] ?? []
            guard inverses.isEmpty || olds.contains(where: { inverses.contains(source.relationships[$0].inverse) })
            else {
                throw mismatch(
                    new, "and its inverse replace two relationships that are not inverses. Rename both sides or neither"
                )
            }
            for old in olds.sorted() { try check(new, old) }
        }
    }

    /// Refuses a pair that would lose links, and removes a pair whose related entity was deleted.
    private mutating func check(_ new: Int, _ old: Int) throws(StorageError) {
        let (after, before) = (target.relationships[new], source.relationships[old])
        guard after.isToMany || !before.isToMany else {
            throw mismatch(new, "is to-one, but to-many in version '\(plan.source.version)'. Give it another name")
        }
        let ends = destinations(of: old)
        guard !ends.contains(where: { target.entity($0.target.index, isKindOf: after.destination) }) else { return }
        guard ends.isEmpty else {
            throw mismatch(
                new,
                "refers to '\(target.entities[after.destination].name)', but in version '\(plan.source.version)' to '"
                    + "\(source.entities[before.destination].name)', which becomes another entity. Give it another name"
            )
        }
        for entity in relationships.indices where relationships[entity][new] == old {
            relationships[entity][new] = nil
        }
    }

    private func mismatch(_ relationship: Int, _ problem: String) -> StorageError {
        let relationship = target.relationships[relationship]
        return StorageError(
            .schemaMismatch,
            "'\(target.entities[relationship.owner].name).\(relationship.name)' of version '\(plan.target.version)' "
                + "\(problem), or pass .recreateStoreOnModelMismatch."
        )
    }

    /// The moves of the entities at the other end of a relationship of the source.
    private func destinations(of old: Int) -> [EntityMove] {
        source.entities[source.relationships[old].destination].descendants.compactMap { moves[$0] }
    }

    mutating func resolveRelationships() throws(StorageError) {
        for entity in moves.indices {
            guard var move = moves[entity] else { continue }
            for (new, old) in relationships[entity].sorted(by: { $0.key < $1.key }) {
                resolve(new, old, of: &move)
            }
            moves[entity] = move
        }
    }

    private mutating func resolve(_ new: Int, _ old: Int, of move: inout EntityMove) {
        let (after, before) = (target.relationships[new], source.relationships[old])
        let end = KeyMove(
            source: source.entities[before.destination].root, target: target.entities[after.destination].root
        )
        switch (after.storage, before.storage) {
        case (.reference(let slot, let positionSlot), .reference(let oldSlot, let oldPosition)):
            move.origins[slot] = .reference(oldSlot, end)
            if let positionSlot, let oldPosition { move.origins[positionSlot] = .copy(oldPosition) }
        case (.links(let table, let isFirst), .reference(let oldSlot, let oldPosition)):
            // If both sides were to-one, each side has a reference for the link; one reference is sufficient.
            guard isFirst || source.relationships[before.inverse].isToMany else { return }
            move.newLinks.append(
                .init(table: table, slot: oldSlot, positionSlot: oldPosition, isFirst: isFirst, reference: end)
            )
        case (.links(let table, let isFirst), .links(let oldTable, let wasFirst)):
            let (own, flipped) = (move.keys, isFirst != wasFirst)
            let moved = LinkMove(
                table: table, isFlipped: flipped, first: wasFirst ? own : end, second: wasFirst ? end : own
            )
            if !linkMoves[oldTable].contains(moved) { linkMoves[oldTable].append(moved) }
        case (.reference, _), (.inverse, _), (.links, .inverse):
            // The other side stores the relationship.
            break
        }
    }

    /// Finds the references and links whose rows may be missing or may have a wrong entity.
    mutating func findDoubts() {
        let pairs = pairs
        doubtfulReferences = target.relationships.indices.filter { new in
            guard case .reference = target.relationships[new].storage, pairs[new] != nil else { return false }
            return isDoubtful(new, pairs)
        }
        doubtfulLinks = target.linkTables.indices.filter { table in
            let sides = [target.linkTables[table].first, target.linkTables[table].second]
            return sides.contains { pairs[$0] != nil } && sides.contains { isDoubtful($0, pairs) }
        }
    }

    private func isDoubtful(_ new: Int, _ pairs: [Int: Set<Int>]) -> Bool {
        guard let olds = pairs[new] else { return true }
        return olds.contains { old in
            source.entities[source.relationships[old].destination].descendants.contains { entity in
                if source.entities[entity].isAbstract { return false }
                guard let move = moves[entity], move.transformation == nil else { return true }
                return !target.entity(move.target.index, isKindOf: target.relationships[new].destination)
            }
        }
    }
}
