import CofferSchema
public import CofferStorageTools

/// A read-only transaction that sees one snapshot of the stores, on any thread.
///
/// ```swift
/// let total = try stack.read { try $0.fetchCount(From<Person>()) }
/// ```
///
/// Use it only inside the closure that receives it. All fetches of one read show the same snapshot of each store. A
/// property cannot throw: if a relationship cannot be read, it is empty, and the end of the read throws the error.
public final class ReadTransaction: FetchableSource, QueryableSource {
    /// The live objects of the read.
    public let _graph: ObjectGraph

    init(_ stack: DataStack) {
        _graph = ObjectGraph(ContextState(stack.binding, stack.stores, isEditable: false, keepsSnapshot: true))
        _graph.source = self
    }

    /// Runs a closure of the program, and throws its error, or the error of a failed read without `throws`.
    func run<Output>(
        _ task: (ReadTransaction) throws -> Output, _ cancellation: Cancellation?
    ) throws(CoreStoreError) -> Output {
        let state = _graph.state
        state.readers.cancellation = cancellation
        let output = try state.run { try task(self) }
        // The result may depend on a relationship that could not be read.
        if let error = state.failures.first?.error { throw CoreStoreError(storage: error) }
        return output
    }

    func finish() {
        _graph.state.readers.isFinished = true
        _graph.state.readers.release()
    }
}

extension ReadTransaction: CustomDebugStringConvertible, CoreStoreDebugStringConvertible {
    /// The description of the read and of its state.
    public var coreStoreDumpString: String { DumpTree.text([("isFinished", _graph.state.isFinished)]) }
}
