/// The changes of a world when a transaction is saved.
extension World {
    enum Policy: CaseIterable {
        case merge
        case throwError
        case keepStored
    }

    /// Returns the world with unique names of tags; nil if the names violate the constraint.
    ///
    /// - Parameters:
    ///   - saved: the world before the transaction.
    ///   - unordered: receives the items whose order of tags the rules do not define.
    func uniquelyNamed(saved: World, _ policy: Policy, unordered: inout Set<Int>) -> World? {
        var result = self
        let named = things.filter { $0.value.kind == .tag && $0.value.title != nil }
        for (_, tags) in Dictionary(grouping: named.keys, by: { named[$0]?.title }) where tags.count > 1 {
            let inserted = tags.filter { saved.things[$0] == nil }.sorted()
            let stored = tags.filter { saved.things[$0] != nil }
            guard stored.count < 2, policy != .throwError else { return nil }
            let target = stored.first ?? inserted[0]
            for tag in inserted where tag != target { result.merge(tag, into: target, policy, &unordered) }
        }
        return result
    }

    private mutating func merge(_ tag: Int, into target: Int, _ policy: Policy, _ unordered: inout Set<Int>) {
        if policy == .merge { things[target] = things[tag] }
        for item in many(.tagged, tag) {
            var tags = many(.tags, item)
            if tags.contains(target) {
                tags.removeAll { $0 == tag }
                unordered.insert(item)
            } else {
                tags = tags.map { $0 == tag ? target : $0 }
                set(.tagged, target, many(.tagged, target) + [item])
            }
            set(.tags, item, tags)
        }
        set(.tagged, tag, [])
        things[tag] = nil
    }

    /// Adopts the order of another world for owners whose order the rules do not define.
    mutating func adoptOrder(_ relationship: ToMany, of owners: Set<Int>, from found: World) {
        for owner in owners {
            let members = many(relationship, owner)
            let shown = members.filter { things[$0] != nil }
            guard Set(shown) == Set(found.many(relationship, owner)) else { continue }
            set(relationship, owner, found.many(relationship, owner) + members.filter { things[$0] == nil })
        }
    }
}
