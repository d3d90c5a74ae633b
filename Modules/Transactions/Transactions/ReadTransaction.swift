import CofferSchema
import CofferStorage
public import CofferStorageTools

/// One consistent, read-only look at the stores of a data stack, on any thread.
///
/// Used only inside the closure it is handed to.
public final class ReadTransaction: FetchableSource, QueryableSource {
    /// The live objects of the read.
    public let _graph: ObjectGraph

    init(_ stack: DataStack) {
        _graph = ObjectGraph(ContextState(stack.binding, stack.stores, isEditable: false, keepsSnapshot: true))
        _graph.source = self
    }

    func finish() {
        _graph.state.readers.isFinished = true
        _graph.state.readers.release()
    }
}

extension ReadTransaction: CustomDebugStringConvertible, CoreStoreDebugStringConvertible {
    /// Whether the read is over.
    public var coreStoreDumpString: String {
        DumpTree.text([("isFinished", _graph.state.isFinished)])
    }
}
