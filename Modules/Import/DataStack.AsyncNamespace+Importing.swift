public import CofferClauses
public import CofferSchema
import CofferStorage
public import CofferTransactions

/// Imports objects with `await`, in a separate transaction, and returns objects of the data stack.
extension DataStack.AsyncNamespace {
    /// Runs a transaction that creates an object from a source.
    ///
    /// ```swift
    /// let note = try await stack.async.importObject(Into<Note>(), source: ["text": "Buy milk"])
    /// ```
    ///
    /// Read the result on the stack's view queue.
    ///
    /// - Returns: the stack's object; nil if `shouldInsert(from:in:)` returns false.
    /// - Throws: ``CoreStoreError``. Nothing is saved, unless only the read of the saved object has failed.
    public func importObject<O: DynamicObject & ImportableObject>(
        _ into: Into<O>, source: O.ImportSource
    ) async throws -> O? {
        try await importing { try $0.importObject(into, source: source).map { [$0] } ?? [] }.first
    }

    /// Runs a transaction that copies the values of a source to an object.
    ///
    /// - Returns: the stack's object. Use it on the stack's view queue.
    /// - Throws: ``CoreStoreError``. The error is `userCancelled` if the object no longer exists.
    public func importObject<O: DynamicObject & ImportableObject>(
        _ object: O, source: O.ImportSource
    ) async throws -> O? {
        try await importing { transaction in
            guard let object = transaction.edit(object) else { try transaction.cancel() }
            try transaction.importObject(object, source: source)
            return [object]
        }.first
    }

    /// Runs a transaction that updates the object with the unique id of a source, or creates it.
    ///
    /// ```swift
    /// let ann = try await stack.async.importUniqueObject(Into<Person>(), source: .init(id: 7, name: "Ann"))
    /// ```
    ///
    /// Read the result on the stack's view queue.
    ///
    /// - Returns: the stack's object; nil if the class leaves out the source.
    /// - Throws: ``CoreStoreError``. Nothing is saved, unless only the read of the saved object has failed.
    public func importUniqueObject<O: DynamicObject & ImportableUniqueObject>(
        _ into: Into<O>, source: O.ImportSource
    ) async throws -> O? {
        try await importing { try $0.importUniqueObject(into, source: source).map { [$0] } ?? [] }.first
    }

    /// Runs a transaction that updates the objects with the unique ids of some sources, and creates the others.
    ///
    /// ```swift
    /// let people = try await stack.async.importUniqueObjects(Into<Person>(), sourceArray: sources)
    /// ```
    ///
    /// - Parameter preProcess: called on the queue of the transaction, with all sources by their ids.
    /// - Returns: the stack's objects, in the order in which the ids occur first. Use them on the stack's view queue.
    /// - Throws: ``CoreStoreError``. Nothing is saved, unless only the read of the saved objects has failed.
    public func importUniqueObjects<O: DynamicObject & ImportableUniqueObject, S: Sequence>(
        _ into: Into<O>, sourceArray: S,
        preProcess:
            @escaping @Sendable (_ mapping: [O.UniqueIDType: O.ImportSource]) throws -> [O.UniqueIDType:
            O.ImportSource] = { $0 }
    ) async throws -> [O] where S.Iterator.Element == O.ImportSource {
        try await importing {
            try $0.importUniqueObjects(into, sourceArray: sourceArray, preProcess: preProcess)
        }
    }

    /// Runs a transaction, and returns the stack's objects in place of the transaction's.
    ///
    /// The stack finds the objects in the turn of the commit.
    private func importing<O: DynamicObject>(
        _ task: @escaping (AsynchronousDataTransaction) throws -> [O]
    ) async throws -> [O] {
        let outcome = await withCheckedContinuation {
            (continuation: CheckedContinuation<UnsafeTransfer<Result<[O], CoreStoreError>>, Never>) in
            base.importing(task) { continuation.resume(returning: UnsafeTransfer($0)) }
        }
        return try outcome.value.get()
    }
}

extension DataStack {
    /// Runs a transaction, and passes the stack's objects to the completion instead of the transaction's.
    ///
    /// - Parameter completion: called on the view queue, in the turn of the commit.
    package func importing<O: DynamicObject>(
        _ task: @escaping (AsynchronousDataTransaction) throws -> [O],
        completion: @escaping (Result<[O], CoreStoreError>) -> Void
    ) {
        let task = UnsafeTransfer(task)
        perform(asynchronous: { try task.value($0).map { $0.cs_id() } }) { [self] result in
            completion(result.flatMap { objects($0) })
        }
    }

    private func objects<O>(_ ids: [ObjectID]) -> Result<[O], CoreStoreError> {
        Result { () throws(CoreStoreError) in
            try CoreStoreError.converting { () throws(StorageError) in try _graph.objects(ids).compactMap { $0 as? O }
            }
        }
    }
}
