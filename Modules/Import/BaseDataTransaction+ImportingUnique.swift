public import CofferClauses
public import CofferTransactions

/// Imports objects with unique ids: updates or creates them, and calls `shouldInsert` and `shouldUpdate`.
extension BaseDataTransaction {
    /// Updates the object that has the unique id of a source, or creates it.
    ///
    /// ```swift
    /// let ann = try transaction.importUniqueObject(Into<Person>(), source: .init(id: 7, name: "Ann"))
    /// ```
    ///
    /// The import looks for the object in all stores, in any configuration, and among the objects that this transaction
    /// has created or changed. A new object gets its id before `didInsert(from:in:)` is called.
    ///
    /// - Returns: the object; nil if `uniqueID(from:in:)` returns nil, or `shouldUpdate(from:in:)` or
    ///   `shouldInsert(from:in:)` returns false.
    /// - Throws: the error of a method of the class. The changes that were made before stay in the transaction. If the
    ///   object cannot be looked up, the call throws ``CoreStoreError``.
    public func importUniqueObject<O: ImportableUniqueObject>(_ into: Into<O>, source: O.ImportSource) throws -> O? {
        try importing(into, UniqueSources(From(into.entityClass), CollectionOfOne(source), in: self)).first
    }

    /// Updates the objects that have the unique ids of some sources, and creates those that do not exist.
    ///
    /// ```swift
    /// let people = try transaction.importUniqueObjects(Into<Person>(), sourceArray: sources)
    /// ```
    ///
    /// One request to each store finds any number of objects. The methods of the class are called in this order:
    ///
    /// 1. `uniqueID(from:in:)` for each source,
    /// 2. the closure `preProcess`, with all sources by their ids,
    /// 3. for each id, in the order in which the ids occur first: `shouldUpdate(from:in:)` and `update(from:in:)` if
    /// an object has the id, else `shouldInsert(from:in:)` and `didInsert(from:in:)`.
    ///
    /// If several sources have the same id, the last one is imported.
    ///
    /// - Parameters:
    ///   - sourceArray: the sources.
    ///   - preProcess: returns the sources to import, by their ids. Ids that it adds are ignored. Strings that are
    ///     equal in Swift, but differ in their bytes, are different ids. If the sources have such ids, the closure is
    ///     called once for each form.
    /// - Returns: the objects, one for each id, in the order in which the ids occur first. If the source of an id was
    ///   dropped or refused, the id has no object in the result.
    /// - Throws: the error of a method of the class or of `preProcess`. The changes that were made before stay in the
    ///   transaction. If the objects cannot be looked up, the call throws ``CoreStoreError``.
    @_disfavoredOverload
    public func importUniqueObjects<O: ImportableUniqueObject, S: Sequence>(
        _ into: Into<O>, sourceArray: S,
        preProcess:
            @escaping (_ mapping: [O.UniqueIDType: O.ImportSource]) throws
            -> [O.UniqueIDType: O.ImportSource] = { $0 }
    ) throws -> [O] where S.Iterator.Element == O.ImportSource {
        var sources = try UniqueSources(From(into.entityClass), sourceArray, in: self)
        try sources.preProcess(preProcess)
        return try importing(into, sources)
    }

    /// Updates and creates objects as the method with `preProcess` does, without a dictionary for the closure.
    ///
    /// Swift chooses this method if there is no closure.
    ///
    /// - Throws: the error of a method of the class. The changes that were made before stay in the transaction. If the
    ///   objects cannot be looked up, the call throws ``CoreStoreError``.
    @inlinable
    public func importUniqueObjects<O: ImportableUniqueObject, S: Sequence>(
        _ into: Into<O>, sourceArray: S
    ) throws -> [O] where S.Iterator.Element == O.ImportSource {
        try importing(into, UniqueSources(From(into.entityClass), sourceArray, in: self))
    }

    @inlinable
    func importing<O>(_ into: Into<O>, _ sources: UniqueSources<O>) throws -> [O] {
        var objects: [O] = []
        objects.reserveCapacity(sources.count)
        try sources.forEach { id, source, object in
            if let object = try updateOrInsert(into, source, id: id, object: object)?.object { objects.append(object) }
        }
        return objects
    }

    /// Updates the object that has the unique id of a source, or creates it if there is none.
    ///
    /// - Returns: nil if the class leaves out the source.
    @inlinable
    func updateOrInsert<O: ImportableUniqueObject>(
        _ into: Into<O>, _ source: O.ImportSource, id: O.UniqueIDType, object: O?
    ) throws -> (object: O, isNew: Bool)? {
        let type = into.entityClass
        if let object {
            guard type.shouldUpdate(from: source, in: self) else { return nil }
            try object.update(from: source, in: self)
            return (object, false)
        }
        guard type.shouldInsert(from: source, in: self) else { return nil }
        let object = create(into)
        object.uniqueIDValue = id
        try object.didInsert(from: source, in: self)
        return (object, true)
    }
}
