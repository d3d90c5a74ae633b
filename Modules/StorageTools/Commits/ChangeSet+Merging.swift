public import CofferStorage

/// Computes the links and places that a commit adds after it merged rows with stored rows.
extension ChangeSet {
    /// The links to add, between the rows that exist after some inserts were merged into other rows.
    ///
    /// A member of an ordered relationship of a merged row comes after all members of the surviving row. The members of
    /// one merged row keep their order. If the surviving row already has a member, this member keeps its place: its
    /// position is nil (`merging/appends-links`).
    ///
    /// - Parameters:
    ///   - merges: the merges of this commit, in the order of the inserts.
    ///   - members: returns the members of some owners of a relationship, as `StorageReader.members(_:of:)` does, after
    ///     the deletes and ``unlinks`` of this change set and before its ``links``.
    public func links(
        after merges: [CommitResult.Merge], in layout: ModelLayout,
        members: (_ relationship: Int, _ owners: [Int64]) throws(StorageError) -> [RelatedMembers]
    ) throws(StorageError) -> [Link] {
        guard !merges.isEmpty, !links.isEmpty else { return links }
        let survivors = Survivors(merges)
        var additions = Additions()
        for link in links { additions.add(link, survivors, layout) }
        var places: [Side: [Int64: Int64?]] = [:]
        for relationship in Set(additions.appended.keys.map(\.relationship)).sorted() {
            let sides = additions.appended.keys.filter { $0.relationship == relationship }
            for found in try members(relationship, sides.map(\.owner).sorted()) {
                additions.stay(found.members, on: Side(relationship: relationship, owner: found.owner))
            }
            for side in sides { places[side] = additions.places(on: side) }
        }
        return links.map { link in
            var link = link
            for isFirst in [true, false] {
                guard let end = LinkEnd(link, isFirst: isFirst, survivors, layout), end.rank != nil else { continue }
                let place = places[end.side]?[end.member] ?? nil
                if isFirst { link.firstPosition = place } else { link.secondPosition = place }
            }
            let table = layout.linkTables[link.table]
            let (first, second) = table.roots(layout)
            (link.first, link.second) = (survivors.key(link.first, first), survivors.key(link.second, second))
            return link
        }
    }

    /// Returns places for new last members of an ordered relationship.
    ///
    /// - Parameter last: the place of the last member; nil if no member has a place.
    public static func places(after last: Int64?, count: Int) -> [Int64] {
        var last = last
        return (0..<count).map { _ in
            let place = OrderedPlaces.after(last) ?? .max
            last = place
            return place
        }
    }

    // MARK: Sides

    /// An ordered relationship of one row.
    private struct Side: Hashable {
        let relationship: Int
        let owner: Int64
    }

    /// The rows that replace inserted rows.
    private struct Survivors {
        private var merges: [Int: [Int64: (into: Int64, rank: Int)]] = [:]

        init(_ merges: [CommitResult.Merge]) {
            for (rank, merge) in merges.enumerated() {
                self.merges[merge.root, default: [:]][merge.from] = (merge.into, rank)
            }
        }

        func key(_ key: Int64, _ root: Int) -> Int64 { merges[root]?[key]?.into ?? key }

        func rank(_ key: Int64, _ root: Int) -> Int? { merges[root]?[key]?.rank }
    }

    /// A link from the view of one of its ordered sides.
    private struct LinkEnd {
        let side: Side
        let member: Int64
        let place: Int64?
        /// The number of the merge that the owner was part of; nil if the owner was not merged.
        let rank: Int?

        init?(_ link: Link, isFirst: Bool, _ survivors: Survivors, _ layout: ModelLayout) {
            guard layout.linkTables.indices.contains(link.table) else { return nil }
            let table = layout.linkTables[link.table]
            guard isFirst ? table.isFirstOrdered : table.isSecondOrdered else { return nil }
            let (first, second) = table.roots(layout)
            let owner = isFirst ? link.first : link.second
            rank = survivors.rank(owner, isFirst ? first : second)
            side = Side(
                relationship: isFirst ? table.first : table.second,
                owner: survivors.key(owner, isFirst ? first : second))
            member = survivors.key(isFirst ? link.second : link.first, isFirst ? second : first)
            place = isFirst ? link.firstPosition : link.secondPosition
        }
    }

    /// The links of a change set by their ordered sides.
    private struct Additions {
        /// The members that merged rows add.
        private(set) var appended: [Side: [LinkEnd]] = [:]
        /// The members of the surviving row itself.
        private var staying: [Side: Set<Int64>] = [:]
        private var last: [Side: Int64] = [:]

        mutating func add(_ link: Link, _ survivors: Survivors, _ layout: ModelLayout) {
            for isFirst in [true, false] {
                guard let end = LinkEnd(link, isFirst: isFirst, survivors, layout) else { continue }
                if end.rank != nil {
                    appended[end.side, default: []].append(end)
                } else {
                    stay([.init(key: end.member, place: end.place)], on: end.side)
                }
            }
        }

        mutating func stay(_ members: [RelatedMembers.Member], on side: Side) {
            staying[side, default: []].formUnion(members.map(\.key))
            if let place = members.compactMap(\.place).max() { last[side] = max(last[side] ?? place, place) }
        }

        /// Returns the places of the members that merged rows add; nil for members that keep their places.
        func places(on side: Side) -> [Int64: Int64?] {
            let ends = (appended[side] ?? []).sorted {
                ($0.rank ?? 0, $0.place ?? .min, $0.member) < ($1.rank ?? 0, $1.place ?? .min, $1.member)
            }
            var seen = staying[side] ?? []
            let added = ends.map(\.member).filter { seen.insert($0).inserted }
            var places: [Int64: Int64?] = [:]
            for (member, place) in zip(added, ChangeSet.places(after: last[side], count: added.count)) {
                places[member] = place
            }
            return places
        }
    }
}

extension LinkTableLayout {
    /// The roots of the entities that the first and the second keys of links belong to.
    fileprivate func roots(_ layout: ModelLayout) -> (first: Int, second: Int) {
        func root(_ relationship: Int) -> Int { layout.entities[layout.relationships[relationship].owner].root }
        return (root(first), root(second))
    }
}
