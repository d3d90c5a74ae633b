public import CofferClauses
public import CofferTransactions

extension BaseDataTransaction {
    /// Creates an object from a source.
    ///
    /// ```swift
    /// let note = try transaction.importObject(Into<Note>(), source: ["text": "Buy milk"])
    /// ```
    ///
    /// - Returns: the new object; nil if `shouldInsert(from:in:)` returns false.
    /// - Throws: the error of `didInsert(from:in:)`. The new object stays in the transaction then.
    public func importObject<O: ImportableObject>(_ into: Into<O>, source: O.ImportSource) throws -> O? {
        guard into.entityClass.shouldInsert(from: source, in: self) else { return nil }
        let object = create(into)
        try object.didInsert(from: source, in: self)
        return object
    }

    /// Copies the values of a source to an object of this transaction.
    ///
    /// Calls `didInsert(from:in:)` of the object, unless `shouldInsert(from:in:)` returns false.
    ///
    /// - Throws: the error of `didInsert(from:in:)`.
    public func importObject<O: ImportableObject>(_ object: O, source: O.ImportSource) throws {
        guard type(of: object).shouldInsert(from: source, in: self) else { return }
        try object.didInsert(from: source, in: self)
    }

    /// Creates objects from sources, one after the other.
    ///
    /// ```swift
    /// let notes = try transaction.importObjects(Into<Note>(), sourceArray: [["text": "Buy milk"], ["text": "Call Ann"]])
    /// ```
    ///
    /// - Returns: the new objects in the order of their sources, without those for which `shouldInsert(from:in:)` returns
    ///   false.
    /// - Throws: the first error of `didInsert(from:in:)`. The objects so far stay in the transaction then.
    public func importObjects<O: ImportableObject, S: Sequence>(
        _ into: Into<O>, sourceArray: S
    ) throws -> [O] where S.Iterator.Element == O.ImportSource {
        var objects: [O] = []
        objects.reserveCapacity(sourceArray.underestimatedCount)
        for source in sourceArray {
            if let object = try importObject(into, source: source) { objects.append(object) }
        }
        return objects
    }
}
