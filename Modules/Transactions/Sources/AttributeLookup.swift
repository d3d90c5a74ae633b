public import CofferClauses
public import CofferSchema
public import CofferStorage
import CofferStorageTools

/// Finds objects by values of one attribute, in stores and among pending changes; refuses other properties.
///
/// One request to each store finds the objects of any number of values. Values are compared as a condition with `==`
/// compares them.
@usableFromInline
package struct AttributeLookup<O: DynamicObject> {
    private let graph: ObjectGraph
    private let from: From<O>
    private let keyPath: KeyPathString
    private let entity: Int
    private let stores: [OpenStore]
    private let slot: Int
    private let kind: ColumnKind
    private let isUUID: Bool

    /// - Throws: ``CoreStoreError``: no store has the class, or the class has no such attribute.
    @usableFromInline
    package init(_ from: From<O>, _ keyPath: KeyPathString, in graph: ObjectGraph) throws(CoreStoreError) {
        let fetch = try graph.calls.reporting("fetch") { () throws(CoreStoreError) in
            try graph.calls.result(of: from, []) { fetch throws(StorageError) in
                try Self.check(keyPath, fetch, graph)
                return fetch
            }
        }
        self.graph = graph
        self.from = from
        self.keyPath = keyPath
        (entity, stores) = (fetch.entity, fetch.stores)
        let layout = graph.layout.entities[entity]
        slot = layout.slot(named: keyPath) ?? 0
        kind = layout.kinds[slot]
        isUUID = stores.first?.resolver.isUUID(slot: slot, entity: entity) ?? false
    }

    private static func check(
        _ keyPath: KeyPathString, _ fetch: ObjectFetch, _ graph: ObjectGraph
    ) throws(StorageError) {
        let layout = graph.layout.entities[fetch.entity]
        if let slot = layout.slot(named: keyPath), case .attribute = layout.columns[slot].role { return }
        // For an unknown name, this error suggests another name.
        for store in fetch.stores { _ = try store.resolver.resolve(.membership(keyPath, []), entity: fetch.entity) }
        throw .invalidRequest("'\(layout.name).\(keyPath)' is not a stored attribute. Name one with a single value.")
    }

    /// Returns a value in the form that an object with an equal value stores.
    @usableFromInline
    package func key(_ value: Value) -> Value {
        let stored = isUUID ? value.canonicalUUID : value
        return stored.key(kind) ?? stored
    }

    /// Whether an object can have a key.
    package func canHold(_ key: Value) -> Bool {
        guard let attribute = graph.binding.entities[entity].attributes[keyPath] else { return false }
        return key.key(kind) != nil && attribute.canRepresent(key)
    }

    /// An empty list of keys of the attribute.
    @usableFromInline
    package func makeKeys() -> AttributeKeys { AttributeKeys(slot: slot, kind: kind) }

    /// Returns an object for each key, at the key's place.
    ///
    /// If several objects have one key, the first fetched object counts.
    ///
    /// - Throws: ``CoreStoreError``: the attribute cannot be compared with the keys, or a store failed.
    @usableFromInline
    package func objects(_ keys: AttributeKeys) throws(CoreStoreError) -> [O?] {
        var objects = [O?](repeating: nil, count: keys.values.count)
        for object in try found(keys.values) {
            guard let place = (object as? CoreStoreObject)?.held.lent(keys.place), objects[place] == nil else {
                continue
            }
            objects[place] = object
        }
        return objects
    }

    private func found(_ keys: [Value]) throws(CoreStoreError) -> [O] {
        guard !keys.isEmpty else { return [] }
        return try graph.calls.reporting("fetch") { () throws(CoreStoreError) in
            try graph.calls.objects(from, [Where<O>(.membership(keyPath, keys))])
        }
    }

    /// Returns the object that has a key now, if the transaction may have changed objects since the look-up.
    ///
    /// The stores are read only if the former object of the key was deleted or has another key now.
    ///
    /// - Parameter former: the object that the look-up found; nil if it found none.
    @usableFromInline
    package func object(_ key: Value, formerly former: O?) throws(CoreStoreError) -> O? {
        guard let former else { return pendingObject(key) }
        if let object = former as? CoreStoreObject, !object.isDeleted, object.row.holds(slot),
            object.row.hasValue(key, slot, kind)
        {
            return former
        }
        var keys = makeKeys()
        _ = keys.add(key)
        return try objects(keys)[0]
    }

    private func pendingObject(_ key: Value) -> O? {
        for store in stores {
            if let found = graph.pendingObject(entity, in: store, slot: slot, kind, key) as? O { return found }
        }
        return nil
    }
}
