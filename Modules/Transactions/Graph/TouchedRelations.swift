import CofferSchema
package import CofferStorage

/// The relationships that commits changed, by object, also where the object's own row stayed as it was.
package struct TouchedRelations: Sendable, Equatable {
    /// How many objects are kept one by one where the commits come from outside.
    static let limit = 16_384

    /// The relationships by object.
    package private(set) var byObject: [ObjectID: Set<Int>]
    /// The relationships that changed for more objects than are kept; any object may be one of them.
    package private(set) var ofAny: Set<Int> = []

    package init(_ byObject: [ObjectID: Set<Int>] = [:]) {
        self.byObject = byObject
    }

    /// Whether no relationship changed.
    package var isEmpty: Bool { byObject.isEmpty && ofAny.isEmpty }

    /// The relationships of an object that changed, or that may have.
    package func relationships(of id: ObjectID, _ entity: EntityLayout) -> Set<Int> {
        let known = byObject[id] ?? []
        return ofAny.isEmpty ? known : known.union(entity.relationships.filter(ofAny.contains))
    }

    package mutating func merge(_ other: TouchedRelations) {
        byObject.merge(other.byObject) { $0.union($1) }
        ofAny.formUnion(other.ofAny)
    }

    /// Keeps of too many objects only which relationships changed.
    mutating func limitObjects() {
        guard byObject.count > Self.limit else { return }
        for relationships in byObject.values { ofAny.formUnion(relationships) }
        byObject = [:]
    }

    /// Moves what is known of merged objects to the objects that they were merged into.
    func following(_ survivor: (ObjectID) -> ObjectID) -> TouchedRelations {
        var moved = self
        moved.byObject = Dictionary(
            byObject.map { (survivor($0.key), $0.value) }, uniquingKeysWith: { $0.union($1) })
        return moved
    }

    // MARK: Commits

    /// Adds what a commit did in one store.
    package mutating func add(_ part: CommitRecord.InStore) {
        for row in part.inserted { addEnds(nil, row, part.store) }
        for (old, new) in part.updated { addEnds(old, new, part.store) }
        for row in part.deleted { addEnds(row, nil, part.store) }
        for link in part.links { add(link, part.store) }
        for (relationship, owner) in part.reordered { byObject[owner, default: []].insert(relationship) }
    }

    /// Adds the objects at the other ends of a row's references, as far as those changed.
    private mutating func addEnds(_ old: Row?, _ new: Row?, _ store: OpenStore) {
        guard let row = new ?? old else { return }
        for reference in store.layout.entities[row.entity].references {
            if let old, let new, old.hasSameValue(reference.slot, .reference, as: new),
                reference.positionSlot.map({ old.hasSameValue($0, .integer, as: new) }) ?? true
            {
                continue
            }
            let space = store.keySpaces[store.layout.relationships[reference.inverse].owner]
            for end in [old, new] {
                guard let end, !end.isNull(reference.slot) else { continue }
                let owner = ObjectID(storage: space, key: end.integer(reference.slot))
                byObject[owner, default: []].insert(reference.inverse)
            }
        }
    }

    /// Adds both ends of a link.
    mutating func add(_ link: ChangeSet.Link, _ store: OpenStore) {
        let table = store.layout.linkTables[link.table]
        for (relationship, key) in [(table.first, link.first), (table.second, link.second)] {
            let space = store.keySpaces[store.layout.relationships[relationship].owner]
            byObject[ObjectID(storage: space, key: key), default: []].insert(relationship)
        }
    }
}

/// The relationships that other transactions of a stack changed since an unsafe transaction asked last.
// Sendable: what changes is guarded by a mutex.
final class RelationLog: Sendable {
    private let touched = Locked(TouchedRelations())
    /// The transaction that asks and those above it, whose own changes it learns of otherwise.
    private let graphs: Set<ObjectIdentifier>

    init(_ graphs: Set<ObjectIdentifier>) {
        self.graphs = graphs
    }

    /// Adds a commit of another transaction.
    func add(_ part: CommitRecord.InStore, of graph: ObjectGraph) {
        guard !graphs.contains(ObjectIdentifier(graph)) else { return }
        touched.withLock {
            $0.add(part)
            $0.limitObjects()
        }
    }

    /// What was added since this was called last.
    func take() -> TouchedRelations {
        touched.withLock { touched in
            defer { touched = TouchedRelations() }
            return touched
        }
    }
}

/// The logs of the unsafe transactions that are observed.
final class RelationLogs: Sendable {
    private struct Weak: Sendable {
        weak var log: RelationLog?
    }

    private let logs = Locked<[Weak]>([])

    func add(_ log: RelationLog) {
        logs.withLock { logs in
            logs.removeAll { $0.log == nil }
            logs.append(Weak(log: log))
        }
    }

    /// Adds a commit to the logs of the other transactions.
    func add(_ part: CommitRecord.InStore, of graph: ObjectGraph) {
        for entry in logs.withLock({ $0 }) { entry.log?.add(part, of: graph) }
    }
}
