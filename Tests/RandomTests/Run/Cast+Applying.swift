import Coffer

extension Cast {
    /// Carries out an operation in a transaction.
    mutating func apply(_ operation: Operation, in transaction: BaseDataTransaction) throws {
        switch operation {
        case .create(let id, let kind): create(id, kind, in: transaction)
        case .set(let id, let attribute, let value): try set(attribute, of: object(id, in: transaction), value)
        case .relate(let id, let relationship, let target):
            guard let item = try object(id, in: transaction) as? Depot.Item else { return }
            try relate(item, relationship, target.map { try object($0, in: transaction) })
        case .relateMany(let id, let relationship, let members):
            let owner = try object(id, in: transaction)
            try relate(owner, relationship, members.map { try object($0, in: transaction) })
        case .delete(let id): transaction.delete(try object(id, in: transaction))
        }
    }

    /// Returns the transaction's object for a number: the known object, or the object with the number's id.
    mutating func object(_ id: Int, in transaction: BaseDataTransaction) throws -> CoreStoreObject {
        if let known = objects[id], !known.isDeleted { return known }
        guard let objectID = registry.ids[id] else { throw Mismatch("\(id) was never created") }
        let found: CoreStoreObject? =
            transaction.fetchExisting(objectID) as Depot.Item? ?? transaction.fetchExisting(objectID) as Depot.Box?
            ?? transaction.fetchExisting(objectID) as Depot.Shelf? ?? transaction.fetchExisting(objectID) as Depot.Tag?
        guard let found else { throw Mismatch("\(id) cannot be found by its id") }
        objects[id] = found
        return found
    }

    private mutating func create(_ id: Int, _ kind: World.Kind, in transaction: BaseDataTransaction) {
        let object: CoreStoreObject
        switch kind {
        case .item:
            let item = transaction.create(Into<Depot.Item>())
            item.number = id
            object = item
        case .special:
            let item = transaction.create(Into<Depot.Special>())
            item.number = id
            object = item
        case .box:
            let box = transaction.create(Into<Depot.Box>())
            box.number = id
            object = box
        case .shelf:
            let shelf = transaction.create(Into<Depot.Shelf>())
            shelf.number = id
            object = shelf
        case .tag:
            let tag = transaction.create(Into<Depot.Tag>())
            tag.number = id
            object = tag
        }
        registry.note(id, object.objectID())
        objects[id] = object
    }

    private func set(_ attribute: Operation.Attribute, of object: CoreStoreObject, _ value: Int?) {
        switch (attribute, object) {
        case (.value, let item as Depot.Item): item.value = value ?? 0
        case (.title, let item as Depot.Item): item.title = World.title(value)
        case (.mark, let item as Depot.Item): item.mark = value.map { Depot.Mark(grade: $0) }
        case (.extra, let special as Depot.Special): special.extra = value ?? 0
        case (.value, let box as Depot.Box): box.value = value ?? 0
        case (.value, let shelf as Depot.Shelf): shelf.value = value ?? 0
        case (.value, let tag as Depot.Tag): tag.value = value ?? 0
        case (.title, let tag as Depot.Tag): tag.name = World.title(value)
        default: break
        }
    }

    private func relate(_ item: Depot.Item, _ relationship: World.ToOne, _ target: CoreStoreObject?) {
        switch relationship {
        case .parent: item.parent = target as? Depot.Item
        case .partner: item.partner = target as? Depot.Item
        case .partnerOf: item.partnerOf = target as? Depot.Item
        case .mentor: item.mentor = target as? Depot.Item
        case .box: item.box = target as? Depot.Box
        case .shelf: item.shelf = target as? Depot.Shelf
        }
    }

    private func relate(_ owner: CoreStoreObject, _ relationship: World.ToMany, _ members: [CoreStoreObject]) {
        let items = members.compactMap { $0 as? Depot.Item }
        switch (relationship, owner) {
        case (.boxed, let box as Depot.Box): box.items = Set(items)
        case (.shelved, let shelf as Depot.Shelf): shelf.items = Set(items)
        case (.tagged, let tag as Depot.Tag): tag.tagged = Set(items)
        case (.children, let item as Depot.Item): item.children = items
        case (.tags, let item as Depot.Item): item.tags = members.compactMap { $0 as? Depot.Tag }
        case (.friends, let item as Depot.Item): item.friends = Set(items)
        case (.friendOf, let item as Depot.Item): item.friendOf = Set(items)
        case (.pupils, let item as Depot.Item): item.pupils = Set(items)
        case (.likes, let item as Depot.Item): item.likes = items
        case (.likedBy, let item as Depot.Item): item.likedBy = items
        default: break
        }
    }
}
