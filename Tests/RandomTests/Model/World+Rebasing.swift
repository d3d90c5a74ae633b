/// The changes of a transaction, applied to the world that others have saved since the transaction's last refresh.
struct Rebased {
    /// The resulting world, after the delete rules.
    var world: World
    /// Objects that this transaction changed and others deleted.
    var lost: Set<Int> = []
    /// The new related objects of each object that others deleted.
    var newlyRelated: [Int: Set<Int>] = [:]
    /// Objects whose to-one relationships reference objects that others deleted.
    var broken: Set<Int> = []
    /// Objects that others deleted and whose places in an order this transaction may have changed.
    var maybeLost: Set<Int> = []
    /// Items that this transaction deleted with a box, and that others removed from the box.
    var moved: Set<Int> = []
    /// Deleted shelves that still have items.
    var denied: Set<Int> = []
    /// Owners of ordered relationships that both sides have changed, so that the rules do not define the order.
    var open: [World.ToMany: Set<Int>] = [:]

    var isConflict: Bool { !lost.isEmpty || !broken.isEmpty || !moved.isEmpty }

    /// Whether the transaction or others have deleted an object, or the transaction has changed a partner.
    func hasDeletions(_ base: World, _ current: World, _ stored: World) -> Bool {
        base.ones[.partner] != current.ones[.partner] || base.ones[.partnerOf] != current.ones[.partnerOf]
            || base.things.keys.contains { current.things[$0] == nil || stored.things[$0] == nil }
    }
}

extension World {
    /// Applies the changes between two worlds to a third world.
    ///
    /// - Parameter isSaving: whether delete rules apply to objects that others related to deleted objects.
    static func rebased(
        _ current: World, from base: World, onto stored: World, isSaving: Bool, endsPartnerships: Bool = true
    ) -> Rebased {
        var result = Rebased(world: stored)
        result.world.denials = current.denials
        // Setting a property to its former value is no change.
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

    /// Applies the changed references, which are properties of the rows that contain them.
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
                // A delete rule applies to the object that was referenced. It does not apply if others have set
                // another object.
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

    /// Keeps the partner that this transaction set, if others have given the object another partner.
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

    /// Applies added and removed links, except links of objects that others deleted.
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

    /// Applies the to-many sides of references, and the orders.
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
            // References that others set to the deleted objects remain, but are hidden.
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

    /// Drops conflicts that the delete rules have resolved.
    ///
    /// If a rule deleted the referenced object, the reference is nil again, as before. If a rule deleted the
    /// referencing object, there is no broken reference.
    fileprivate mutating func loseRelated() {
        broken = broken.filter { world.things[$0] != nil }
        for (id, targets) in newlyRelated where targets.contains(where: { world.things[$0] != nil }) { lost.insert(id) }
    }
}
