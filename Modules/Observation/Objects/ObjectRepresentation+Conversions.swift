public import CofferClauses
public import CofferSchema
public import CofferTransactions

/// Whatever stands for an object leads to all the others that do.
extension ObjectRepresentation {
    /// A publisher of the object.
    public func asPublisher(in dataStack: DataStack) -> ObjectPublisher<ObjectType> {
        dataStack.publishObject(objectID())
    }

    /// The object in a data stack; nil when it is gone.
    public func asReadOnly(in dataStack: DataStack) -> ObjectType? { dataStack.fetchExisting(objectID()) }

    /// The object in a transaction, to be changed; nil when it is gone.
    public func asEditable(in transaction: BaseDataTransaction) -> ObjectType? {
        transaction.fetchExisting(objectID())
    }

    /// The values the object has in a data stack; nil when it is gone.
    public func asSnapshot(in dataStack: DataStack) -> ObjectSnapshot<ObjectType>? {
        ObjectSnapshot(asReadOnly(in: dataStack), dataStack._graph, dataStack)
    }

    /// The values the object has in a transaction; nil when it is gone.
    public func asSnapshot(in transaction: BaseDataTransaction) -> ObjectSnapshot<ObjectType>? {
        ObjectSnapshot(asEditable(in: transaction), transaction._graph, transaction.dataStack)
    }
}

extension DynamicObject where Self: ObjectRepresentation {
    /// A publisher of the object in the data stack it came from; nil when that is gone.
    public func asPublisher() -> ObjectPublisher<Self>? { cs_dataStack().map { asPublisher(in: $0) } }

    /// The values the object has in the context it lives in; nil when it was deleted, or the context is gone.
    public func asSnapshot() -> ObjectSnapshot<Self>? {
        graph.flatMap { ObjectSnapshot(self, $0, cs_dataStack()) }
    }

    /// The data stack the object came from; nil when that is gone.
    public func cs_dataStack() -> DataStack? {
        switch graph?.source {
        case let stack as DataStack: stack
        case let transaction as BaseDataTransaction: transaction.dataStack
        default: nil
        }
    }

    /// A publisher of the object.
    public func asPublisher(in dataStack: DataStack) -> ObjectPublisher<Self> { dataStack.publishObject(self) }

    /// The object in a data stack; nil when it is gone.
    public func asReadOnly(in dataStack: DataStack) -> Self? { dataStack.fetchExisting(cs_id()) }

    /// The object in a transaction, to be changed; nil when it is gone.
    public func asEditable(in transaction: BaseDataTransaction) -> Self? { transaction.edit(self) }

    /// The values the object has in a data stack; nil when it is gone.
    public func asSnapshot(in dataStack: DataStack) -> ObjectSnapshot<Self>? {
        ObjectSnapshot(asReadOnly(in: dataStack), dataStack._graph, dataStack)
    }

    /// The values the object has in a transaction; nil when it is gone.
    public func asSnapshot(in transaction: BaseDataTransaction) -> ObjectSnapshot<Self>? {
        let object: Self? = transaction.fetchExisting(cs_id())
        return ObjectSnapshot(object, transaction._graph, transaction.dataStack)
    }

    private var graph: ObjectGraph? { (self as? CoreStoreObject)?.context.driver as? ObjectGraph }
}
