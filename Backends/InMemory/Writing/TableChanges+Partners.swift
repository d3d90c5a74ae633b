import CofferStorage
import CofferStorageTools

/// Finds the rows that refer to a row, and the rows that a row refers to, while a commit is applied.
extension TableChanges {
    /// Returns the key to which each of some rows refers, by the key of the row; rows with null are left out.
    func targets(of keys: Set<Int64>, _ reference: TablePlan.Reference) -> [Int64: Int64] {
        var targets: [Int64: Int64] = [:]
        func note(_ row: Row) {
            guard reference.entities.contains(row.entity), row.holds(reference.slot) else { return }
            targets[row.key] = row.integer(reference.slot)
        }
        var rest = keys
        for change in changes where keys.contains(change.key) {
            rest.remove(change.key)
            if let row = change.new { note(row) }
        }
        for key in rest { if let row = table.rows[key] { note(row) } }
        return targets
    }

    /// A row that refers to another row.
    struct Source {
        let key: Int64
        /// The key of the other row.
        let target: Int64
        /// The place of the row among the changes; nil if the commit has not changed the row.
        let place: Int?
    }

    /// Returns the rows that refer to some rows by a reference.
    ///
    /// - Parameter number: the place of the reference in the plan.
    func sources(of keys: Set<Int64>, _ number: Int) -> [Source] {
        let reference = plan.references[number]
        var sources: [Source] = []
        var changed: Set<Int64> = []
        for (place, change) in changes.enumerated() {
            changed.insert(change.key)
            guard let row = change.new, reference.entities.contains(row.entity), row.holds(reference.slot),
                keys.contains(row.integer(reference.slot))
            else { continue }
            sources.append(Source(key: row.key, target: row.integer(reference.slot), place: place))
        }
        for target in keys.sorted() {
            table.reference(number).forEach(owner: target) { key in
                if !changed.contains(key) { sources.append(Source(key: key, target: target, place: nil)) }
                return true
            }
        }
        return sources
    }

    /// Returns new places for the members of merged rows, after the members of the surviving rows.
    ///
    /// The keys of the result are the places of the members among the changes. The result is empty if the
    /// relationship is not ordered.
    ///
    /// - Parameter number: the place of the reference in the plan.
    func places(ofMembers number: Int, _ merges: [CommitResult.Merge]) -> [Int: Int64] {
        let reference = plan.references[number]
        guard let slot = reference.positionSlot else { return [:] }
        var ranks: [Int64: Int] = [:]
        for (rank, merge) in merges.enumerated() where merge.root == reference.target { ranks[merge.from] = rank }
        func position(_ source: Source) -> Int64? {
            let row = source.place.map { changes[$0].new } ?? table.rows[source.key]
            return row.flatMap { $0.holds(slot) ? $0.integer(slot) : nil }
        }
        var members: [Int64: [(rank: Int, position: Int64, key: Int64, place: Int)]] = [:]
        for source in sources(of: Set(ranks.keys), number) {
            guard let rank = ranks[source.target], let place = source.place else { continue }
            members[merges[rank].into, default: []].append((rank, position(source) ?? .min, source.key, place))
        }
        guard !members.isEmpty else { return [:] }
        var last: [Int64: Int64] = [:]
        for source in sources(of: Set(members.keys), number) {
            guard let position = position(source) else { continue }
            last[source.target] = max(last[source.target] ?? position, position)
        }
        var places: [Int: Int64] = [:]
        for (owner, added) in members {
            let added = added.sorted { ($0.rank, $0.position, $0.key) < ($1.rank, $1.position, $1.key) }
            let positions = ChangeSet.places(after: last[owner], count: added.count)
            for (member, position) in zip(added, positions) { places[member.place] = position }
        }
        return places
    }

    /// Sets a reference of a row to null.
    func clear(_ slot: Int, of source: Source, _ layout: ModelLayout) throws(StorageError) {
        let known = source.place ?? table.rows[source.key].map { place(of: source.key, $0) }
        guard let place = known, let row = changes[place].new else { return }
        try layout.checkVersion(changes[place].old ?? row)
        let cleared = RowBuilder(copying: row)
        cleared.writeNull(slot)
        changes[place].write(cleared, isRefreshed: true, isIndexed: true)
    }
}
