public import CofferClauses
public import CofferSchema
public import CofferTransactions

/// Converts objects, publishers, snapshots and monitors to each other: `asPublisher`, `asSnapshot`, `asEditable`.
extension ObjectRepresentation {
    /// Returns a publisher of the object: `snapshot.asPublisher(in: stack)`.
    public func asPublisher(in dataStack: DataStack) -> ObjectPublisher<ObjectType> {
        dataStack.publishObject(objectID())
    }

    /// Returns the live object of a data stack; nil if it was deleted, or if the store cannot be read.
    public func asReadOnly(in dataStack: DataStack) -> ObjectType? { dataStack.fetchExisting(objectID()) }

    /// Returns the object of a transaction, in order to change it.
    ///
    /// ```swift
    /// try stack.perform(synchronous: { transaction in
    ///     publisher.asEditable(in: transaction)?.name = "Anna"
    /// })
    /// ```
    ///
    /// - Returns: the object; nil if it was deleted. The result is also nil if the store cannot be read; the error is
    ///   logged, and the commit throws it.
    public func asEditable(in transaction: BaseDataTransaction) -> ObjectType? {
        transaction.fetchExisting(objectID())
    }

    /// Returns the values of the object in a data stack; nil if it was deleted, or if the store cannot be read.
    public func asSnapshot(in dataStack: DataStack) -> ObjectSnapshot<ObjectType>? {
        ObjectSnapshot(asReadOnly(in: dataStack), dataStack._graph, dataStack)
    }

    /// Returns the values of the object in a transaction; nil if it was deleted, or if the store cannot be read.
    public func asSnapshot(in transaction: BaseDataTransaction) -> ObjectSnapshot<ObjectType>? {
        ObjectSnapshot(asEditable(in: transaction), transaction._graph, transaction.dataStack)
    }
}

extension DynamicObject where Self: ObjectRepresentation {
    /// Returns a publisher of the object in its data stack; nil if the data stack was deallocated.
    public func asPublisher() -> ObjectPublisher<Self>? { cs_dataStack().map { asPublisher(in: $0) } }

    /// Returns the present values of the object; nil if the object was deleted, or if its owner no longer exists.
    ///
    /// ```swift
    /// let before = person.asSnapshot()
    /// ```
    public func asSnapshot() -> ObjectSnapshot<Self>? {
        graph.flatMap { ObjectSnapshot(self, $0, cs_dataStack()) }
    }

    /// The data stack of the object; nil if it was deallocated.
    public func cs_dataStack() -> DataStack? {
        switch graph?.source {
        case let stack as DataStack: stack
        case let transaction as BaseDataTransaction: transaction.dataStack
        default: nil
        }
    }

    /// Returns a publisher of the object.
    public func asPublisher(in dataStack: DataStack) -> ObjectPublisher<Self> { dataStack.publishObject(self) }

    /// Returns the live object of a data stack; nil if it was deleted, or if the store cannot be read.
    public func asReadOnly(in dataStack: DataStack) -> Self? { dataStack.fetchExisting(cs_id()) }

    /// Returns the object of a transaction for changes; nil if it was deleted, or if the store cannot be read.
    public func asEditable(in transaction: BaseDataTransaction) -> Self? { transaction.edit(self) }

    /// Returns the values of the object in a data stack; nil if it was deleted, or if the store cannot be read.
    public func asSnapshot(in dataStack: DataStack) -> ObjectSnapshot<Self>? {
        ObjectSnapshot(asReadOnly(in: dataStack), dataStack._graph, dataStack)
    }

    /// Returns the values of the object in a transaction; nil if it was deleted, or if the store cannot be read.
    public func asSnapshot(in transaction: BaseDataTransaction) -> ObjectSnapshot<Self>? {
        let object: Self? = transaction.fetchExisting(cs_id())
        return ObjectSnapshot(object, transaction._graph, transaction.dataStack)
    }

    private var graph: ObjectGraph? { (self as? CoreStoreObject)?.context.driver as? ObjectGraph }
}
