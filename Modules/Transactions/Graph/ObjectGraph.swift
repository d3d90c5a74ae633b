package import CofferClauses
package import CofferEvaluation
package import CofferSchema
package import CofferStorage

/// The live objects of one data stack, transaction or read, as other modules use them.
///
/// The graph answers the objects' questions, and the calls of the package's other modules. ``ContextState`` holds its state;
/// types such as ``RelationshipLoader`` and ``Fetcher`` do its work. One thread uses it at a time; debug builds check that
/// by ``ContextState/isAccessAllowed``.
public final class ObjectGraph {
    package let state: ContextState
    /// The data stack, transaction or read.
    package weak var source: AnyObject?

    init(_ state: ContextState) {
        self.state = state
        state.objectContext.driver = self
    }

    deinit {
        state.objectContext.detach()
        state.readers.release()
    }

    package var binding: SchemaBinding { state.binding }
    package var layout: ModelLayout { state.layout }
    package var context: ObjectContext { state.objectContext }
    package var evaluator: ReferenceEvaluator { state.evaluator }
    package var isEditable: Bool { state.isEditable }
    package var readsPendingRows: Bool { state.readsPendingRows }
    /// The stores as they are now; for a transaction, as they were at its first look.
    package var stores: [OpenStore] { state.stores }

    /// The public calls.
    package var calls: GraphCalls { GraphCalls(graph: self) }

    // MARK: Objects

    /// The object with an id, known or read; nil if there is no such row, or it was deleted here.
    package func object(_ id: ObjectID) throws(StorageError) -> CoreStoreObject? { try state.finder.object(id) }

    /// The objects with some ids, in their order; those that do not exist are left out.
    package func objects(_ ids: [ObjectID]) throws(StorageError) -> [CoreStoreObject] {
        try state.finder.objects(ids)
    }

    /// The objects of rows that an observer has kept, as one batch.
    package func objects(of rows: [Row], storage: UInt32) -> [CoreStoreObject] {
        state.factory.objects(of: rows, storage: storage)
    }

    /// The object of a row that an observer has kept, and that may have changed since.
    package func object(ofOld row: Row, storage: UInt32) -> CoreStoreObject {
        state.finder.object(ofOld: row, storage: storage)
    }

    /// The known object with an id, when it was not deleted.
    package func knownObject(_ id: ObjectID) -> CoreStoreObject? { state.identities.knownObject(id) }

    /// The id of the object that took over from another when that was saved; otherwise the same id.
    package func survivor(of id: ObjectID) -> ObjectID { state.identities.survivor(of: id) }

    /// The ids of the related objects of an object.
    package func relatedIDs(_ relationship: Int, of object: CoreStoreObject) -> [ObjectID] {
        state.loader.relatedIDs(relationship, of: object)
    }

    // MARK: Fetches

    /// The objects that a fetch asks for.
    package func objects(_ fetch: ObjectFetch) throws(StorageError) -> [CoreStoreObject] {
        try state.fetcher.objects(fetch)
    }

    /// The rows of one store as the context sees them.
    package func rows(_ store: OpenStore, _ request: RowRequest, pending: Bool) throws(StorageError) -> [Row] {
        try state.fetcher.rows(store, request, pending: pending)
    }

    /// The values of an expression for rows of one store.
    package func values(
        of expression: RowExpression, _ rows: [Row], in store: OpenStore
    ) throws(StorageError) -> [Value] {
        try state.fetcher.values(of: expression, rows, in: store)
    }

    /// The pending object of an entity or its sub-entities whose column has a value; the one with the least key where
    /// there are several.
    package func pendingObject(
        _ entity: Int, in store: OpenStore, slot: Int, _ kind: ColumnKind, _ value: Value
    ) -> CoreStoreObject? {
        state.pendingLookup.pendingObject(entity, in: store, slot: slot, kind, value)
    }

    /// The stores that hold an entity.
    ///
    /// - Parameter configurations: the configurations of the stores; nil for any.
    package func stores(holding entity: Int, in configurations: [ModelConfiguration]?) -> [OpenStore] {
        state.requestBuilder.stores(holding: entity, in: configurations)
    }

    /// A fetch made of clauses, applied in their order.
    ///
    /// - Parameter prepare: sets what clauses may override.
    package func fetch<O>(
        _ from: From<O>, _ clauses: [any FetchClause], _ prepare: (FetchRequest) -> Void = { _ in }
    ) throws(CoreStoreError) -> ObjectFetch {
        try calls.explaining { () throws(CoreStoreError) in try state.requestBuilder.fetch(from, clauses, prepare) }
    }

    // MARK: Commits of others

    /// Reads loaded relationships again at the next look, after others have saved.
    package func forgetStaleRelations(in stores: [OpenStore]) throws(StorageError) {
        try state.staleRelations.forgetStaleRelations(in: stores)
    }

    /// Gives known objects without pending changes the rows that were just read, here and in parent transactions.
    package func refresh(with rows: [Row], _ store: OpenStore) throws(StorageError) {
        try state.rowRefresher.refresh(with: rows, store)
    }

    /// Reads known objects without pending changes again, here and in parent transactions.
    package func refreshUnchanged(_ ids: [ObjectID]) throws(StorageError) {
        try state.rowRefresher.refreshUnchanged(ids)
    }

    // MARK: Observers

    /// Whether the current thread may observe objects; it is a mistake when not.
    package func mayObserve<O>(_ type: O.Type) -> Bool {
        let isAllowed = state.isAccessAllowed()
        Diagnostics.assert(
            isAllowed, "'\(type)' was observed outside the queue of its data stack or transaction. Observe it there."
        )
        return isAllowed
    }

    /// Tells a watcher of one of the graph's objects whenever its property is set.
    package func add(_ watcher: PropertyWatcher, to object: CoreStoreObject) {
        state.hasWatchers = true
        object.add(watcher)
    }

    /// Runs a call that cannot throw; an error is logged, and nil returned.
    package func loggingErrors<Output>(_ operation: String, _ body: () throws(StorageError) -> Output?) -> Output? {
        state.failures.loggingErrors(operation, body)
    }
}
