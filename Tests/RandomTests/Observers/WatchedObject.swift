import Coffer

/// A monitor and a publisher of one item, with their reports.
final class WatchedObject: ObjectObserver {
    typealias ObjectEntityType = Depot.Item

    let id: Int
    private let registry: Registry
    private let monitor: ObjectMonitor<Depot.Item>
    private let publisher: ObjectPublisher<Depot.Item>
    private var keys: Set<String> = []
    private var updates = 0
    private var deletions = 0
    private var published = 0

    init(_ item: Depot.Item, _ stack: DataStack, _ registry: Registry) {
        id = registry.number(item)
        self.registry = registry
        monitor = stack.monitorObject(item)
        publisher = stack.publishObject(item)
        monitor.addObserver(self)
        publisher.addObserver(self) { [weak self] _ in self?.published += 1 }
    }

    func objectMonitor(
        _ monitor: ObjectMonitor<Depot.Item>, didUpdateObject object: Depot.Item,
        changedPersistentKeys: Set<KeyPathString>
    ) {
        keys.formUnion(changedPersistentKeys)
        updates += 1
    }

    func objectMonitor(_ monitor: ObjectMonitor<Depot.Item>, didDeleteObject object: Depot.Item) { deletions += 1 }

    /// Checks the reports about the commits since the last check.
    func check(_ world: World, commits: [Commit]) throws {
        defer { (keys, updates, deletions, published) = ([], 0, 0, 0) }
        let isThere = world.things[id] != nil
        let wasThere = commits.first.map { $0.before.things[id] != nil } ?? isThere
        guard monitor.isObjectDeleted != isThere, deletions == (wasThere && !isThere ? 1 : 0) else {
            throw Mismatch("the monitor of \(id): \(monitor.isObjectDeleted) after \(deletions) deletions")
        }
        if let snapshot = publisher.snapshot {
            try check(snapshot, world)
        } else if isThere {
            throw Mismatch("the publisher of \(id) has no snapshot")
        }
        guard wasThere, isThere else { return }
        var expected: Set<String> = []
        for commit in commits { expected.formUnion(commit.before.changedKeys(of: id, to: commit.after)) }
        let isLinked = commits.contains { $0.linked.contains(id) }
        let links =
            isLinked ? Set(World.ToMany.allCases.filter { $0.reference == nil || $0 == .children }.map(\.name)) : []
        guard keys.subtracting(links) == expected.subtracting(links), keys.isSuperset(of: expected) else {
            throw Mismatch("the monitor of \(id) reported \(keys.sorted()), not \(expected.sorted())")
        }
        let isPlaced = commits.contains { $0.before.isPlacedAnew(id, in: $0.after) }
        guard (published > 0) == !expected.isEmpty || (published > 0 && (isPlaced || isLinked)) else {
            throw Mismatch("the publisher of \(id) reported \(published) changes of \(expected.sorted())")
        }
    }

    private func check(_ snapshot: ObjectSnapshot<Depot.Item>, _ world: World) throws {
        guard let thing = world.things[id] else { throw Mismatch("\(id) was deleted but has a snapshot") }
        func expect<Value: Equatable>(_ found: Value, _ expected: Value, _ name: String) throws {
            guard found != expected else { return }
            throw Mismatch("the snapshot of \(id): \(name) is \(found), not \(expected)")
        }
        func number(_ publisher: ObjectPublisher<Depot.Item>) -> Int { registry.numbers[publisher.objectID()] ?? -1 }
        try expect(snapshot.$value, thing.value, "value")
        try expect(snapshot.$title, thing.title, "title")
        try expect(snapshot.$mark?.grade, thing.mark, "mark")
        try expect(snapshot.$caption, "\(thing.number): \(thing.value)", "caption")
        try expect(snapshot.$likes.map(number), world.many(.likes, id), "likes")
        try expect(snapshot.$children.map(number), world.many(.children, id), "children")
        try expect(snapshot.$pupils.map(number).sorted(), world.many(.pupils, id), "pupils")
        try expect(snapshot.$parent.map(number), world.one(.parent, id), "parent")
        try expect(snapshot.$mentor.map(number), world.one(.mentor, id), "mentor")
        try expect(snapshot.$partner.map(number), world.one(.partner, id), "partner")
    }
}
