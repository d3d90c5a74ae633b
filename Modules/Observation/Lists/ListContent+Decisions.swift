import CofferStorage
import CofferTransactions

/// Decides from the rows of a commit, without a fetch, which objects enter, leave, move or change in a list.
extension ListContent {
    /// The effect of a commit on the list, before places are assigned to the objects.
    private struct Decision {
        var leaving: [ListEntry] = []
        var arriving: [Row] = []
        /// The listed objects that stay, with their old entries and their new rows.
        var staying: [(old: ListEntry, row: Row)] = []

        var isEmpty: Bool { leaving.isEmpty && arriving.isEmpty && staying.isEmpty }
    }

    /// Returns the state after a commit, without a fetch if possible; nil if the list does not change.
    func decided(_ commit: CommitDigest) throws(StorageError) -> ListUpdate? {
        guard let local = request.local else { return touched(commit) }
        guard isPlacedByOrder else {
            return decision(local, commit).isEmpty ? nil : try refetched(request, after: commit)
        }
        let decision = decision(local, commit)
        guard !decision.isEmpty else { return nil }
        if let sections = request.sections, sections.takesObjects, !isShown(commit) {
            return try refetched(request, after: commit)
        }
        let arriving = try request.entries(of: decision.arriving, in: local.store)
        let changed = try request.entries(of: decision.staying.map(\.row), in: local.store)
        var builder = ListUpdateBuilder(old: tree, local: local, commit: commit.number, inserted: arriving)
        for entry in decision.leaving {
            guard let place = index(of: entry, local) else { return try refetched(request, after: commit) }
            builder.removed.append((place, entry))
        }
        for ((old, _), new) in zip(decision.staying, changed) {
            guard let place = index(of: old, local) else { return try refetched(request, after: commit) }
            if old.section === new.section, local.order.hasSamePlace(old.row, new.row) {
                builder.updated.append((place, new))
            } else {
                builder.moved.append((place, new))
            }
        }
        let update = builder.update
        // If the order separates objects of one section, they are moved together, which requires the whole list.
        if request.sections?.mayBeApart == true, update.hasSectionsApart {
            return try refetched(request, after: commit)
        }
        return update
    }

    private func decision(_ local: ListRequest.Local, _ commit: CommitDigest) -> Decision {
        var decision = Decision()
        var seen: Set<ObjectID> = []
        for (key, change) in commit.changes[local.storage] ?? [:] {
            let id = ObjectID(storage: local.storage, key: key)
            let known = entry(of: id)
            seen.insert(id)
            let matching = change.new.flatMap { local.matches($0) ? $0 : nil }
            if let known {
                // The list may have been fetched after this commit.
                if let new = change.new, new.version <= known.row.version { continue }
                if let matching {
                    decision.staying.append((known, matching))
                } else {
                    decision.leaving.append(known)
                }
            } else if let matching {
                decision.arriving.append(matching)
            }
        }
        for id in commit.touched.byOwner.keys where !seen.contains(id) {
            if let known = entry(of: id) { decision.staying.append((known, known.row)) }
        }
        return decision
    }

    /// The state after a commit that changed only the relationships of listed objects.
    func touched(_ commit: CommitDigest) -> ListUpdate? {
        var change = ListChange()
        var differing: [ObjectID: ListEntry?] = [:]
        for id in commit.touched.byOwner.keys {
            guard commit.number > self.commit || commit.change(of: id) == nil else { continue }
            guard let entry = entry(of: id), let place = index(of: id) else { continue }
            change.updated.append((place, place))
            differing[id] = .some(entry)
        }
        guard !change.isEmpty else { return nil }
        change.updated.sort { $0.old < $1.old }
        return ListUpdate(
            old: tree, new: tree, change: change, commit: commit.number, differing: differing, isGrouped: isGrouped)
    }
}
