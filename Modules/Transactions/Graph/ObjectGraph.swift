package import CofferClauses
package import CofferEvaluation
package import CofferSchema
package import CofferStorage

/// The live objects of one data stack, transaction or read, as other modules use them.
///
/// The graph serves the properties of objects, and the calls of the package's other modules. ``ContextState`` holds
/// its state; types such as ``RelationshipLoader`` and ``Fetcher`` do its work. One thread uses the graph at a time;
/// debug builds check this with ``ContextState/isAccessAllowed``.
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
    /// The current stores; for a transaction, the stores at its first access.
    package var stores: [OpenStore] { state.stores }

    /// The public calls.
    package var calls: GraphCalls { GraphCalls(graph: self) }

    // MARK: Objects

    /// Returns the object with an id, known or read; nil if there is no such row, or if it was deleted here.
    package func object(_ id: ObjectID) throws(StorageError) -> CoreStoreObject? { try state.finder.object(id) }

    /// Returns the objects with some ids, in the order of the ids; ids without an object are left out.
    package func objects(_ ids: [ObjectID]) throws(StorageError) -> [CoreStoreObject] {
        try state.finder.objects(ids)
    }

    /// Returns the objects of rows that an observer has kept, as one batch.
    package func objects(of rows: [Row], storage: UInt32) -> [CoreStoreObject] {
        state.factory.objects(of: rows, storage: storage)
    }

    /// Returns the object of a row that an observer has kept, and that may have changed since.
    package func object(ofOld row: Row, storage: UInt32) -> CoreStoreObject {
        state.finder.object(ofOld: row, storage: storage)
    }

    /// Returns the known object with an id, unless it is deleted.
    package func knownObject(_ id: ObjectID) -> CoreStoreObject? { state.identities.knownObject(id) }

    /// Returns the id of the surviving object if a commit merged the row; otherwise the same id.
    package func survivor(of id: ObjectID) -> ObjectID { state.identities.survivor(of: id) }

    /// The ids of the related objects of an object.
    package func relatedIDs(_ relationship: Int, of object: CoreStoreObject) -> [ObjectID] {
        state.loader.relatedIDs(relationship, of: object)
    }

    // MARK: Fetches

    /// Returns the objects of a fetch.
    package func objects(_ fetch: ObjectFetch) throws(StorageError) -> [CoreStoreObject] {
        try state.fetcher.objects(fetch)
    }

    /// Returns the rows of one store as the context sees them.
    package func rows(_ store: OpenStore, _ request: RowRequest, pending: Bool) throws(StorageError) -> [Row] {
        try state.fetcher.rows(store, request, pending: pending)
    }

    /// The values of an expression for rows of one store.
    package func values(
        of expression: RowExpression, _ rows: [Row], in store: OpenStore
    ) throws(StorageError) -> [Value] {
        try state.fetcher.values(of: expression, rows, in: store)
    }

    /// Returns the pending object of an entity or its sub-entities whose column has a value.
    ///
    /// If there are several, the object with the least key is returned.
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

    /// Creates a fetch from clauses, which are applied in their order.
    ///
    /// - Parameter prepare: sets the properties that clauses may override.
    package func fetch<O>(
        _ from: From<O>, _ clauses: [any FetchClause], _ prepare: (FetchRequest) -> Void = { _ in }
    ) throws(CoreStoreError) -> ObjectFetch {
        try calls.explaining { () throws(CoreStoreError) in try state.requestBuilder.fetch(from, clauses, prepare) }
    }

    // MARK: Commits of other transactions

    /// Discards loaded relationships after commits of others, so that a long-lived transaction reads them again.
    package func forgetStaleRelations(in stores: [OpenStore]) throws(StorageError) {
        try state.staleRelations.forgetStaleRelations(in: stores)
    }

    /// Updates known objects without pending changes to rows that were just read, here and in parent transactions.
    package func refresh(with rows: [Row], _ store: OpenStore) throws(StorageError) {
        try state.rowRefresher.refresh(with: rows, store)
    }

    /// Reads known objects without pending changes again, here and in parent transactions.
    package func refreshUnchanged(_ ids: [ObjectID]) throws(StorageError) {
        try state.rowRefresher.refreshUnchanged(ids)
    }

    // MARK: Observers

    /// Returns whether the current thread may observe objects; otherwise reports the mistake.
    package func mayObserve<O>(_ type: O.Type) -> Bool {
        let isAllowed = state.isAccessAllowed()
        Diagnostics.assert(
            isAllowed, "'\(type)' was observed outside the queue of its data stack or transaction. Use that queue."
        )
        return isAllowed
    }

    /// Adds a watcher, which is notified whenever its property of an object is set.
    package func add(_ watcher: PropertyWatcher, to object: CoreStoreObject) {
        state.hasWatchers = true
        object.add(watcher)
    }

    /// Runs a call that cannot throw; logs an error, and returns nil.
    package func loggingErrors<Output>(_ operation: String, _ body: () throws(StorageError) -> Output?) -> Output? {
        state.failures.loggingErrors(operation, body)
    }
}
