import Coffer
import CofferStorage

/// A difference from the model.
struct Mismatch: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// The numbers of objects in the model, by their ids.
final class Registry: @unchecked Sendable {  // Sendable: the run does one thing at a time.
    private(set) var numbers: [ObjectID: Int] = [:]
    private(set) var ids: [Int: ObjectID] = [:]
    private var last = 0

    func newNumber() -> Int {
        last += 1
        return last
    }

    func note(_ number: Int, _ id: ObjectID) {
        numbers[id] = number
        if ids[number] == nil { ids[number] = id }
    }

    func number(_ object: CoreStoreObject) -> Int { numbers[object.objectID()] ?? -1 }
}

/// The objects of one source, by their numbers in the model.
struct Cast {
    var objects: [Int: CoreStoreObject] = [:]
    let registry: Registry

    init(_ registry: Registry) { self.registry = registry }

    /// Collects all objects that the source finds.
    init(_ source: any FetchableSource, _ registry: Registry) throws {
        self.registry = registry
        for object in try source.fetchAll(From<Depot.Item>()) { add(object) }
        for object in try source.fetchAll(From<Depot.Box>()) { add(object) }
        for object in try source.fetchAll(From<Depot.Shelf>()) { add(object) }
        for object in try source.fetchAll(From<Depot.Tag>()) { add(object) }
    }

    subscript(id: Int) -> CoreStoreObject? { objects[id] }

    mutating func add(_ object: CoreStoreObject) { objects[registry.number(object)] = object }
    mutating func add(_ object: CoreStoreObject, as id: Int) { objects[id] = object }
    mutating func remove(_ id: Int) { objects[id] = nil }

    /// Returns the values that the objects show, without deleted objects.
    func world() throws -> World {
        var world = World()
        for (id, object) in objects where !object.isDeleted { try show(id, object, in: &world) }
        return world
    }

    func show(_ id: Int, _ object: CoreStoreObject, in world: inout World) throws {
        world.things[id] = try thing(object)
        for relationship in World.ToOne.allCases { world.set(relationship, id, one(relationship, object)) }
        for relationship in World.ToMany.allCases {
            if let members = many(relationship, object) { world.set(relationship, id, members) }
        }
    }

    /// Checks the values in the row of an object: attributes and references.
    func expectRow(_ id: Int, _ object: CoreStoreObject, _ world: World, _ what: String) throws {
        var shown = World()
        var expected = World()
        if !object.isDeleted { shown.things[id] = try thing(object) }
        expected.things[id] = world.things[id]
        for relationship in World.ToOne.allCases where expected.things[id] != nil {
            shown.set(relationship, id, one(relationship, object))
            expected.set(relationship, id, world.one(relationship, id))
        }
        try shown.expect(expected, what)
    }

    func thing(_ object: CoreStoreObject) throws -> World.Thing {
        switch object {
        case let item as Depot.Item:
            guard item.caption == "\(item.number): \(item.value)" else {
                throw Mismatch("the caption of \(item.number) is '\(item.caption)'")
            }
            let special = item as? Depot.Special
            return World.Thing(
                kind: special == nil ? .item : .special, number: item.number, value: item.value, title: item.title,
                mark: item.mark?.grade, extra: special?.extra ?? 0)
        case let box as Depot.Box: return World.Thing(kind: .box, number: box.number, value: box.value)
        case let shelf as Depot.Shelf: return World.Thing(kind: .shelf, number: shelf.number, value: shelf.value)
        case let tag as Depot.Tag:
            return World.Thing(kind: .tag, number: tag.number, value: tag.value, title: tag.name)
        default: throw Mismatch("an object of an unknown class")
        }
    }

    func one(_ relationship: World.ToOne, _ object: CoreStoreObject) -> Int? {
        guard let item = object as? Depot.Item else { return nil }
        let target: CoreStoreObject? =
            switch relationship {
            case .parent: item.parent
            case .partner: item.partner
            case .partnerOf: item.partnerOf
            case .mentor: item.mentor
            case .box: item.box
            case .shelf: item.shelf
            }
        return target.flatMap { $0.isDeleted ? nil : registry.number($0) }
    }

    /// Returns the members; nil if the object has no such relationship.
    func many(_ relationship: World.ToMany, _ object: CoreStoreObject) -> [Int]? {
        switch (relationship, object) {
        case (.boxed, let box as Depot.Box): numbers(box.items)
        case (.shelved, let shelf as Depot.Shelf): numbers(shelf.items)
        case (.tagged, let tag as Depot.Tag): numbers(tag.tagged)
        case (.children, let item as Depot.Item): numbers(item.children)
        case (.tags, let item as Depot.Item): numbers(item.tags)
        case (.friends, let item as Depot.Item): numbers(item.friends)
        case (.friendOf, let item as Depot.Item): numbers(item.friendOf)
        case (.pupils, let item as Depot.Item): numbers(item.pupils)
        case (.likes, let item as Depot.Item): numbers(item.likes)
        case (.likedBy, let item as Depot.Item): numbers(item.likedBy)
        default: nil
        }
    }

    private func numbers<O: CoreStoreObject>(_ objects: some Sequence<O>) -> [Int] { objects.map(registry.number) }
}
