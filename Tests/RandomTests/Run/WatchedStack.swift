import Coffer
import Dispatch

/// A stack with live objects and observers, which exist during the whole run.
final class WatchedStack {
    let stack: DataStack
    let view: DispatchQueue
    private let registry: Registry
    private var lists: [any AnyWatchedList] = []
    private var objects: [WatchedObject] = []
    private var live: Cast
    private var last: [Int: World.Thing] = [:]

    init(_ stack: DataStack, _ view: DispatchQueue, _ registry: Registry) {
        (self.stack, self.view, self.registry, live) = (stack, view, registry, Cast(registry))
        lists = view.sync { WatchedLists.make(stack, registry) }
    }

    deinit { view.sync { (lists, objects, live) = ([], [], Cast(registry)) } }

    /// Checks the values that the stack shows, and the reports to its observers.
    ///
    /// - Parameters:
    ///   - commits: the commits since the last check.
    ///   - isFull: whether to check all live objects with all their relationships.
    func check(_ world: World, _ commits: [Commit], isFull: Bool, _ dice: inout Dice) throws {
        var dice = dice
        if commits.contains(where: { $0.stack !== self }) {
            if let list = dice.isOne(in: 2) ? dice.pick(lists) : nil { try look(at: list, world) }
            try refresh()
        }
        let isExact = commits.allSatisfy { $0.stack === self && $0.isExact }
        try view.sync {
            for list in lists { try list.check(world, commits: isExact ? commits : nil) }
            if !isExact { objects = [] }
            for object in objects { try object.check(world, commits: commits) }
            objects.removeAll { world.things[$0.id] == nil }
            if objects.count < 4, let id = dice.pick(world.ids(.item)), !objects.contains(where: { $0.id == id }),
                let item = registry.ids[id].flatMap({ stack.fetchExisting($0) as Depot.Item? })
            {
                objects.append(WatchedObject(item, stack, registry))
            }
            try checkLive(world, isFull: isFull, &dice)
        }
    }

    private func checkLive(_ world: World, isFull: Bool, _ dice: inout Dice) throws {
        for (id, object) in live.objects where world.things[id] == nil {
            guard object.isDeleted else { throw Mismatch("the live object \(id) is not deleted") }
            guard try live.thing(object).number == last[id]?.number else { throw Mismatch("the last values of \(id)") }
            live.remove(id)
            last[id] = nil
        }
        if isFull {
            let all = try Cast(stack, registry)
            try all.world().expect(world, "the content of the stack")
            for (id, object) in all.objects where live[id] == nil { live.add(object, as: id) }
        }
        var shown = World()
        var expected = World()
        for (id, object) in live.objects where isFull || dice.isOne(in: 4) {
            try live.show(id, object, in: &shown)
            expected.copy(id, from: world)
            last[id] = shown.things[id]
        }
        try shown.expect(expected, "the live objects")
    }

    /// Fetches one list again after a commit of another stack, and checks that the list and its objects are current.
    private func look(at list: any AnyWatchedList, _ world: World) throws {
        let ids = view.sync { list.ids }
        try view.sync { try list.refetch() }
        try view.sync {
            try list.checkObjects(world)
            for id in ids {
                guard let object = live[id] else { continue }
                try live.expectRow(id, object, world, "a live object that was in list \(list.name)")
            }
        }
    }

    /// Refreshes all objects and lists after a commit of another stack.
    private func refresh() throws {
        try view.sync {
            stack.refreshAndMergeAllObjects()
            objects = []
            for list in lists { try list.refetch() }
        }
        view.sync {}
    }
}

extension World {
    mutating func copy(_ id: Int, from other: World) {
        things[id] = other.things[id]
        for relationship in ToOne.allCases { set(relationship, id, other.one(relationship, id)) }
        for relationship in ToMany.allCases { set(relationship, id, other.many(relationship, id)) }
    }

    /// Throws an error with the differences from the expected world.
    func expect(_ expected: World, _ what: String) throws {
        guard self != expected else { return }
        var differences: [String] = []
        for id in Set(things.keys).union(expected.things.keys).sorted() {
            guard let found = things[id], let thing = expected.things[id] else {
                differences.append("\(id) is \(things[id] == nil ? "missing" : "there")")
                continue
            }
            if found != thing { differences.append("\(id) is \(found), not \(thing)") }
            for relationship in ToOne.allCases where one(relationship, id) != expected.one(relationship, id) {
                let (found, one) = (one(relationship, id), expected.one(relationship, id))
                differences.append("\(id).\(relationship) is \(found ?? 0), not \(one ?? 0)")
            }
            for relationship in ToMany.allCases where many(relationship, id) != expected.many(relationship, id) {
                let (found, many) = (many(relationship, id), expected.many(relationship, id))
                differences.append("\(id).\(relationship) is \(found), not \(many)")
            }
        }
        throw Mismatch("\(what): \(differences.joined(separator: "; "))")
    }
}
