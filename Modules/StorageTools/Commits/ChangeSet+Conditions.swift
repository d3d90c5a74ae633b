public import CofferStorage

/// Checks the conditions of a commit: repeats the reads, and throws `conflict` if a result has changed.
extension ChangeSet {
    /// Repeats the reads of the conditions, and compares the results.
    ///
    /// - Parameters:
    ///   - reader: shows the state of the store before the changes. Until the changes are complete, no other writer
    ///     changes the rows that the reader reads.
    ///   - layout: the model of the store.
    /// - Throws: `conflict` if a result is different. The error contains the versions of rows that had to be unchanged.
    public func checkConditions(_ reader: any StorageReader, _ layout: ModelLayout) throws(StorageError) {
        try checkUnchanged(reader, layout)
        for condition in conditions {
            let (holds, entity) = try holds(condition, reader, layout)
            guard !holds else { continue }
            if case .members(let relationship, _, _) = condition {
                throw StorageError(
                    .conflict,
                    "'\(layout.entities[entity].name).\(layout.relationships[relationship].name)' was changed by "
                        + "another transaction. Fetch again and repeat the transaction.")
            }
            throw StorageError(
                .conflict,
                "Another transaction changed data of '\(layout.entities[entity].name)' that this transaction had read. "
                    + "Repeat the transaction.")
        }
    }

    private func checkUnchanged(_ reader: any StorageReader, _ layout: ModelLayout) throws(StorageError) {
        var expected: [Int: [(row: Row, mayBeGone: Bool)]] = [:]
        for case .unchanged(let row, let mayBeGone) in conditions {
            expected[layout.entities[row.entity].root, default: []].append((row, mayBeGone))
        }
        var conflicts: [WriteConflict] = []
        for (root, expected) in expected.sorted(by: { $0.key < $1.key }) {
            var stored: [Int64: Row] = [:]
            for row in try reader.rows(root: root, keys: expected.map(\.row.key)) { stored[row.key] = row }
            for (row, mayBeGone) in expected {
                let now = stored[row.key]
                guard now?.version != row.version, now != nil || !mayBeGone else { continue }
                let wanted = updates.last { $0.row.key == row.key && layout.entities[$0.row.entity].root == root }
                conflicts.append(WriteConflict(layout, base: row, stored: now, wanted: wanted?.row))
            }
        }
        if !conflicts.isEmpty { throw .conflict(conflicts) }
    }

    /// - Returns: whether the condition holds, and the index of its entity.
    private func holds(
        _ condition: Condition, _ reader: any StorageReader, _ layout: ModelLayout
    ) throws(StorageError) -> (Bool, entity: Int) {
        switch condition {
        case .unchanged(let row, _): return (true, row.entity)
        case .rows(let request, let answer):
            return (try reader.rows(request).map(RowVersion.init) == answer, request.entity)
        case .rowsByKey(let root, let keys, let answer):
            return (Set(try reader.rows(root: root, keys: keys).map(RowVersion.init)) == Set(answer), root)
        case .keys(let request, let answer): return (try reader.keys(request) == answer, request.entity)
        case .count(let request, let answer): return (try reader.count(request) == answer, request.entity)
        case .values(let request, let answer): return (try reader.values(request) == answer, request.rows.entity)
        case .related(let relationship, let owners, let answer):
            var found: [Int64: [RowVersion]] = [:]
            for related in try reader.related(relationship, of: owners) where !related.rows.isEmpty {
                found[related.owner] = related.rows.map(RowVersion.init)
            }
            return (found == answer, layout.relationships[relationship].owner)
        case .members(let relationship, let owner, let answer):
            let found = try reader.members(relationship, of: [owner]).first?.members.map(\.key) ?? []
            return (found == answer, layout.relationships[relationship].owner)
        }
    }
}

extension ChangeSet {
    /// The data that no other writer may change between the check of the conditions and the changes.
    ///
    /// A store with several writers must protect these data.
    package struct Guarded {
        /// The roots of the trees that are protected as a whole.
        package var trees: Set<Int> = []
        /// The indexes of the tables of links that are protected as a whole.
        package var links: Set<Int> = []
        /// By root entity, the sorted keys of the protected rows of other trees.
        package var rows: [(root: Int, keys: [Int64])] = []
    }

    /// The data that the conditions concern.
    package func guarded(_ layout: ModelLayout) -> Guarded {
        var guarded = Guarded()
        var rows: [Int: Set<Int64>] = [:]
        func guardTrees(_ entity: Int?, _ relationships: Set<Int>) {
            if let entity { guarded.trees.insert(layout.entities[entity].root) }
            for index in relationships {
                let relationship = layout.relationships[index]
                for end in [relationship.owner, relationship.destination] {
                    guarded.trees.insert(layout.entities[end].root)
                }
                if case .links(let table, _) = relationship.storage { guarded.links.insert(table) }
            }
        }
        for condition in conditions {
            switch condition {
            case .unchanged(let row, _): rows[layout.entities[row.entity].root, default: []].insert(row.key)
            case .rows(let request, _), .keys(let request, _), .count(let request, _):
                guardTrees(request.entity, request.relationships)
            case .values(let request, _): guardTrees(request.rows.entity, request.relationships)
            case .related(let relationship, _, _): guardTrees(nil, [relationship])
            case .members(let relationship, _, _):
                // Other writers may change the content of the members, but not the list of members.
                if case .links(let table, _) = layout.relationships[relationship].storage {
                    guarded.links.insert(table)
                } else {
                    guarded.trees.insert(layout.entities[layout.relationships[relationship].destination].root)
                }
            case .rowsByKey(let root, let keys, let answer):
                // The insertion of a missing row can only be prevented if the whole tree is protected.
                if Set(keys).count == answer.count {
                    rows[root, default: []].formUnion(keys)
                } else {
                    guardTrees(root, [])
                }
            }
        }
        guarded.rows = rows.filter { !guarded.trees.contains($0.key) }.sorted { $0.key < $1.key }
            .map { ($0.key, $0.value.sorted()) }
        return guarded
    }
}
