public import CofferClauses
public import CofferTransactions

/// Imports objects without unique ids in a transaction: `importObject` and `importObjects`.
extension BaseDataTransaction {
    /// Creates an object from a source.
    ///
    /// ```swift
    /// let note = try transaction.importObject(Into<Note>(), source: ["text": "Buy milk"])
    /// ```
    ///
    /// The call creates the object, and then calls its `didInsert(from:in:)`. To update an object instead, see
    /// `importUniqueObject`.
    ///
    /// - Returns: the new object; nil if `shouldInsert(from:in:)` returns false.
    /// - Throws: the error of `didInsert(from:in:)`. The new object stays in the transaction: let the error end the
    ///   transaction, or delete the object.
    public func importObject<O: ImportableObject>(_ into: Into<O>, source: O.ImportSource) throws -> O? {
        guard into.entityClass.shouldInsert(from: source, in: self) else { return nil }
        let object = create(into)
        try object.didInsert(from: source, in: self)
        return object
    }

    /// Copies the values of a source to an object of this transaction.
    ///
    /// ```swift
    /// try transaction.importObject(note, source: ["text": "Buy milk"])
    /// ```
    ///
    /// The call calls `didInsert(from:in:)` of the object, unless `shouldInsert(from:in:)` returns false.
    ///
    /// - Throws: the error of `didInsert(from:in:)`. The changes so far stay in the transaction.
    public func importObject<O: ImportableObject>(_ object: O, source: O.ImportSource) throws {
        guard type(of: object).shouldInsert(from: source, in: self) else { return }
        try object.didInsert(from: source, in: self)
    }

    /// Creates objects from sources, one after the other.
    ///
    /// ```swift
    /// let sources = [["text": "Buy milk"], ["text": "Call Ann"]]
    /// let notes = try transaction.importObjects(Into<Note>(), sourceArray: sources)
    /// ```
    ///
    /// Sources for which `shouldInsert(from:in:)` returns false are left out.
    ///
    /// - Returns: the new objects, in the order of their sources.
    /// - Throws: the first error of `didInsert(from:in:)`. The objects that were created before stay in the
    ///   transaction. Let the error end the transaction, or delete these objects.
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
