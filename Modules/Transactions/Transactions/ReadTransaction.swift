import CofferSchema
public import CofferStorage

/// One consistent, read-only look at the stores of a data stack, on any thread.
///
/// Used only inside the closure it is handed to.
public final class ReadTransaction: FetchableSource, QueryableSource {
    /// The live objects of the read.
    public let _graph: ObjectGraph

    init(_ stack: DataStack) {
        _graph = ObjectGraph(binding: stack.binding, backing: stack.backing, isEditable: false, keepsReaders: true)
        _graph.source = self
    }

    func finish() {
        _graph.isFinished = true
        _graph.releaseReaders()
    }
}

extension ReadTransaction: CustomDebugStringConvertible, CoreStoreDebugStringConvertible {
    /// Whether the read is over.
    public var coreStoreDumpString: String {
        DumpTree.text([("isFinished", _graph.isFinished)])
    }
}
