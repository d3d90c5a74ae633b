/// The changes of a transaction, made on what others have saved meanwhile.
struct Rebased {
    /// What is there afterwards, with the deletions as the rules say.
    var world: World
    /// Objects that were changed here and deleted elsewhere.
    var lost: Set<Int> = []
    /// The objects that those which were deleted elsewhere were related to here.
    var newlyRelated: [Int: Set<Int>] = [:]
    /// Objects whose to-one relationships reference objects that were deleted elsewhere.
    var broken: Set<Int> = []
    /// Objects whose places in an order may have changed here, and that were deleted elsewhere.
    var maybeLost: Set<Int> = []
    /// Items that were deleted with a box, and that others took out of it.
    var moved: Set<Int> = []
    /// Deleted shelves that still have items.
    var denied: Set<Int> = []
    /// Ordered relationships that both sides have changed: their order is left open.
    var open: [World.ToMany: Set<Int>] = [:]

    var isConflict: Bool { !lost.isEmpty || !broken.isEmpty || !moved.isEmpty }

    /// Whether the transaction or others have deleted anything, or given an object another partner.
    func hasDeletions(_ base: World, _ current: World, _ stored: World) -> Bool {
        base.ones[.partner] != current.ones[.partner] || base.ones[.partnerOf] != current.ones[.partnerOf]
            || base.things.keys.contains { current.things[$0] == nil || stored.things[$0] == nil }
    }
}

extension World {
    /// Makes the changes between two worlds on a third.
    ///
    /// - Parameter isSaving: whether delete rules are followed for what others related to deleted objects.
    static func rebased(
        _ current: World, from base: World, onto stored: World, isSaving: Bool, endsPartnerships: Bool = true
    ) -> Rebased {
        var result = Rebased(world: stored)
        result.world.denials = current.denials
        // A property that was set to the value that it had is no change.
        let touched: Set<World.Property> = []
        result.world.touched = touched
        result.world.nullified = isSaving ? [:] : current.nullified
        result.world.cascades = isSaving ? [:] : current.cascades
        for (item, box) in current.cascades where stored.things[item] != nil {
            if stored.one(.box, item) != box { result.moved.insert(item) }
        }
        result.addThings(current, base, touched)
        result.setReferences(current, base, touched)
        if endsPartnerships { result.endPartnerships(current, base, stored, touched) }
        result.setLinks(current, base)
        result.setMembers(current, base, stored)
        result.delete(current, base, isSaving: isSaving)
        result.loseRelated()
        return result
    }

    fileprivate static let linked: [ToMany] = [.tags, .friends, .likes]
}

extension Rebased {
    fileprivate mutating func addThings(_ current: World, _ base: World, _ touched: Set<World.Property>) {
        for (id, thing) in current.things {
            guard let old = base.things[id] else {
                world.things[id] = thing
                continue
            }
            guard var new = world.things[id] else {
                if thing != old { lost.insert(id) }
                continue
            }
            func isSet(_ name: String) -> Bool { touched.contains(.init(id: id, name: name)) }
            if thing.number != old.number { new.number = thing.number }
            if thing.value != old.value || isSet("value") { new.value = thing.value }
            if thing.title != old.title || isSet("title") { new.title = thing.title }
            if thing.mark != old.mark || isSet("mark") { new.mark = thing.mark }
            if thing.extra != old.extra || isSet("extra") { new.extra = thing.extra }
            world.things[id] = new
        }
    }

    /// References are properties of the rows that hold them.
    fileprivate mutating func setReferences(_ current: World, _ base: World, _ touched: Set<World.Property>) {
        for relationship in World.ToOne.allCases {
            let ids = Set(current.ones[relationship].map { Array($0.keys) } ?? [])
                .union(base.ones[relationship].map { Array($0.keys) } ?? [])
            let set = touched.filter { $0.name == relationship.rawValue }.map(\.id)
            for id in ids.union(set) where current.things[id] != nil {
                let target = current.one(relationship, id)
                let isChanged = target != base.one(relationship, id)
                let property = World.Property(id: id, name: relationship.rawValue)
                guard isChanged || touched.contains(property) else { continue }
                // A delete rule is about the object that was referenced, and does not concern another one.
                if target == nil, let former = current.nullified[property], base.one(relationship, id) == former,
                    world.things[id] == nil || world.one(relationship, id) != former
                {
                    world.touched.remove(property)
                    world.nullified[property] = nil
                    continue
                }
                guard world.things[id] != nil else {
                    if isChanged, base.one(relationship, id) == nil, let target, world.things[target] != nil {
                        newlyRelated[id, default: []].insert(target)
                    } else if isChanged {
                        lost.insert(id)
                    }
                    continue
                }
                if let target, world.things[target] == nil {
                    broken.insert(id)
                    world.set(relationship, id, nil)
                } else {
                    world.set(relationship, id, target)
                }
            }
        }
    }

    /// Where others have given an object another partner, the partner that it has here wins.
    fileprivate mutating func endPartnerships(
        _ current: World, _ base: World, _ stored: World, _ touched: Set<World.Property>
    ) {
        for relationship in [World.ToOne.partner, .partnerOf] {
            for (id, former) in stored.ones[relationship] ?? [:] where current.things[id] != nil {
                let property = World.Property(id: id, name: relationship.rawValue)
                let isSet = current.one(relationship, id) != base.one(relationship, id) || touched.contains(property)
                guard isSet, world.one(relationship, id) != former, world.one(relationship.inverse, former) == id else {
                    continue
                }
                world.set(relationship.inverse, former, nil)
                if !touched.isEmpty {
                    world.touched.insert(.init(id: former, name: relationship.inverse.rawValue))
                }
            }
        }
    }

    /// Links that were added and removed. Those of what others deleted are left out.
    fileprivate mutating func setLinks(_ current: World, _ base: World) {
        for relationship in World.linked {
            let owners = Set(current.manies[relationship].map { Array($0.keys) } ?? [])
                .union(base.manies[relationship].map { Array($0.keys) } ?? [])
            for owner in owners where current.things[owner] != nil {
                let (old, new) = (base.many(relationship, owner), current.many(relationship, owner))
                for member in old where !new.contains(member) && current.things[member] != nil {
                    unlink(relationship, owner, member)
                }
                for member in new where !old.contains(member) {
                    guard world.things[owner] != nil, world.things[member] != nil else { continue }
                    link(relationship, owner, member)
                }
            }
        }
    }

    private mutating func unlink(_ relationship: World.ToMany, _ owner: Int, _ member: Int) {
        let inverse = relationship.inverse
        world.set(relationship, owner, world.many(relationship, owner).filter { $0 != member })
        world.set(inverse, member, world.many(inverse, member).filter { $0 != owner })
    }

    private mutating func link(_ relationship: World.ToMany, _ owner: Int, _ member: Int) {
        unlink(relationship, owner, member)
        let inverse = relationship.inverse
        world.set(relationship, owner, world.many(relationship, owner) + [member])
        world.set(inverse, member, world.many(inverse, member) + [owner])
    }

    /// The to-many sides of references, and the orders.
    fileprivate mutating func setMembers(_ current: World, _ base: World, _ stored: World) {
        for relationship in World.ToMany.allCases {
            guard let reference = relationship.reference else { continue }
            var members: [Int: [Int]] = [:]
            for (id, target) in world.ones[reference] ?? [:] { members[target, default: []].append(id) }
            world.manies[relationship] = nil
            for (owner, ids) in members { world.set(relationship, owner, ids.sorted()) }
        }
        for relationship in World.ToMany.allCases where relationship.isOrdered {
            for owner in world.things.keys {
                let members = world.many(relationship, owner)
                guard members.count > 1 || relationship == .children else { continue }
                let was = base.many(relationship, owner)
                let (mine, theirs) = (current.many(relationship, owner), stored.many(relationship, owner))
                var order = mine
                if mine == was {
                    order = theirs
                } else if theirs != was {
                    open[relationship, default: []].insert(owner)
                }
                let known = order.filter(members.contains)
                world.set(relationship, owner, known + members.filter { !known.contains($0) })
                if Set(known) != Set(members) { open[relationship, default: []].insert(owner) }
                if relationship == .children, mine != was {
                    let gone = Set(mine).union(was).filter { stored.things[$0] == nil && base.things[$0] != nil }
                    maybeLost.formUnion(gone)
                }
            }
        }
    }

    fileprivate mutating func delete(_ current: World, _ base: World, isSaving: Bool) {
        let gone = base.things.keys.filter { current.things[$0] == nil && world.things[$0] != nil }.sorted()
        guard isSaving else {
            // What others related to it still leads there, and is hidden.
            for id in gone { world.things[id] = nil }
            return
        }
        for id in gone where world.things[id]?.kind == .box {
            for item in world.many(.boxed, id) { world.forget(item) }
        }
        for id in gone where world.things[id]?.kind != .shelf { world.forget(id) }
        for id in gone where world.things[id]?.kind == .shelf {
            if !world.many(.shelved, id).isEmpty { denied.insert(id) }
            world.forget(id)
        }
        world.denials = [:]
    }

    /// A reference to what the delete rules have deleted is none again, as it was; one of what they have deleted is none.
    fileprivate mutating func loseRelated() {
        broken = broken.filter { world.things[$0] != nil }
        for (id, targets) in newlyRelated where targets.contains(where: { world.things[$0] != nil }) { lost.insert(id) }
    }
}
