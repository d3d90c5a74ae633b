import CofferClauses
package import CofferSchema
import CofferStorage

/// The data stack of a graph, which runs calls of other threads on its view queue or in a separate read.
protocol ViewQueueOwner: AnyObject {
    /// Runs a closure on the view queue and waits for it; nil if the view queue does not come in time.
    func onViewQueue<Output, Failure: Error>(_ body: () throws(Failure) -> Output) throws(Failure) -> Output?

    /// Runs a closure with the graph of a separate read.
    func withReadingGraph<Output>(
        _ body: (ObjectGraph) throws(CoreStoreError) -> Output
    ) throws(CoreStoreError) -> Output
}

/// A transaction, which may outlive its data stack.
protocol StackDependent: AnyObject {
    /// Whether the data stack was deallocated.
    var hasLostStack: Bool { get }
}

/// Public calls of a graph: checks their queue, converts and logs their errors, and reports a deallocated stack.
package struct GraphCalls {
    let graph: ObjectGraph

    private var state: ContextState { graph.state }

    /// Whether the current thread may look up objects by their ids.
    ///
    /// A transaction checks this only in debug builds, because the check takes as long as finding a known object.
    func mayLookUp(_ type: Any.Type, _ mistake: @autoclosure () -> String? = nil) -> Bool {
        #if !DEBUG
            if state.isEditable { return true }
        #endif
        let isAllowed = state.isAccessAllowed()
        Diagnostics.assert(isAllowed, mistake() ?? RequestBuilder.outside(type))
        return isAllowed
    }

    /// Returns the objects of a fetch with some clauses.
    func objects<O>(
        _ from: From<O>, _ clauses: [any FetchClause], _ prepare: (FetchRequest) -> Void = { _ in }
    ) throws(CoreStoreError) -> [O] {
        let objects = try result(of: from, clauses, prepare) { fetch throws(StorageError) in try graph.objects(fetch) }
        // The rows of the entity or its sub-entities are objects of its class or subclasses. The entity was found by
        // a class that is an O. An array of one class reference is an array of the other.
        return unsafeBitCast(objects, to: [O].self)
    }

    /// Returns the result of a closure that carries out a fetch with some clauses.
    func result<O, Output>(
        of from: From<O>, _ clauses: [any FetchClause], _ prepare: (FetchRequest) -> Void = { _ in },
        _ body: (ObjectFetch) throws(StorageError) -> Output
    ) throws(CoreStoreError) -> Output {
        let fetch = try graph.fetch(from, clauses, prepare)
        return try CoreStoreError.converting { () throws(StorageError) in try body(fetch) }
    }

    func nextPage<O>(_ pages: inout FetchPages, _ type: O.Type) throws(CoreStoreError) -> [O]? {
        let objects = try CoreStoreError.converting { () throws(StorageError) in try pages.next() }
        // The cast is valid for the same reason as in `objects`.
        return objects.map { unsafeBitCast($0, to: [O].self) }
    }

    /// Returns the values of a query with some clauses, and the aliases of its terms.
    func values<O>(
        _ from: From<O>, _ terms: [SelectTerm<O>], _ clauses: [any QueryClause], limit: Int?
    ) throws(CoreStoreError) -> (rows: [[Value]], aliases: [String]) {
        try computing("query", O.self) { graph throws(CoreStoreError) in
            let query = try graph.calls.explaining { () throws(CoreStoreError) in
                try graph.state.requestBuilder.query(from, terms, clauses)
            }
            return (try QueryRunner(state: graph.state).values(query, limit: limit), query.aliases)
        }
    }

    /// Replaces the error that no store holds a class, if the data stack was deallocated.
    ///
    /// A transaction may outlive its data stack, whose stores end with it.
    func explaining<Output>(_ body: () throws(CoreStoreError) -> Output) throws(CoreStoreError) -> Output {
        do throws(CoreStoreError) {
            return try body()
        } catch {
            guard case .persistentStoreNotFound(let type) = error, state.binding.entity(of: type) != nil,
                (graph.source as? any StackDependent)?.hasLostStack == true
            else { throw error }
            Diagnostics.log(
                .warning, "'\(type)' was requested after its data stack was deallocated. Retain the data stack.")
            throw .unknown
        }
    }

    // MARK: Errors

    /// Runs a public call, and logs an error once before it is thrown.
    package func reporting<Output>(
        _ operation: String, _ body: () throws(CoreStoreError) -> Output
    ) throws(CoreStoreError) -> Output {
        do {
            return try body()
        } catch {
            if !state.isCancelled { Diagnostics.log(error, "The \(operation) failed.") }
            throw error
        }
    }

    // MARK: The view queue

    /// Runs a public call that creates objects, on the queue of these objects.
    ///
    /// A call on another queue is a mistake. If the graph is of a data stack, its view queue then creates the
    /// objects.
    func fetching<O, Output>(
        _ type: O.Type, _ body: () throws(CoreStoreError) -> Output
    ) throws(CoreStoreError) -> Output {
        guard !state.isAccessAllowed(), let stack = graph.source as? any ViewQueueOwner else {
            return try reporting("fetch", body)
        }
        Diagnostics.assert(false, RequestBuilder.outside(type))
        return try reporting("fetch") { () throws(CoreStoreError) in
            if let found = try stack.onViewQueue(body) { return found }
            throw CoreStoreError(storage: StorageError(.unsupported, RequestBuilder.outside(type)))
        }
    }

    /// Runs a public call that reads only values from the stores.
    ///
    /// A call outside the queue of a data stack is a mistake, and then uses a separate read.
    func computing<O, Output>(
        _ operation: String, _ type: O.Type, _ body: (ObjectGraph) throws(CoreStoreError) -> Output
    ) throws(CoreStoreError) -> Output {
        guard !state.isAccessAllowed(), let stack = graph.source as? any ViewQueueOwner else {
            return try reporting(operation) { () throws(CoreStoreError) in try body(graph) }
        }
        Diagnostics.assert(false, RequestBuilder.outside(type))
        return try stack.withReadingGraph { graph throws(CoreStoreError) in
            try reporting(operation) { () throws(CoreStoreError) in try body(graph) }
        }
    }

    /// Looks up objects by their ids; nil if the thread may not use the objects.
    ///
    /// - Parameter mistake: the message of the error that a look-up on another thread logs; nil for the message of a
    ///   fetch.
    package func lookingUp<Output>(
        _ type: Any.Type, _ mistake: @autoclosure () -> String? = nil, _ body: () -> Output
    ) -> Output? {
        if mayLookUp(type, mistake()) { return body() }
        guard let stack = graph.source as? any ViewQueueOwner else { return nil }
        if let result = stack.onViewQueue(body) { return result }
        // The view queue may be waiting for the transaction on this thread, whose commit throws the error.
        state.failures.keep(
            StorageError(.unsupported, mistake() ?? RequestBuilder.outside(type)), "'\(type)' could not be looked up.")
        return nil
    }
}
