import CofferStorage

/// The source of the rows of a context: the stores of a data stack, or a parent transaction.
protocol ReaderSource: AnyObject {
    /// The current stores.
    var stores: [OpenStore] { get }

    /// Whether there were stores, and all of them were removed.
    var hasRemovedStores: Bool { get }

    /// A reader of one of the stores.
    ///
    /// - Parameter isCurrent: whether the reader must show all commits; a reader of a replica may show fewer
    ///   commits.
    func makeReader(_ store: OpenStore, isCurrent: Bool) throws(StorageError) -> any StorageReader
}

/// The stores of a context: either the stores at its first read, or the current stores of its source.
///
/// A context with one snapshot keeps the stores of its first read.
struct StoreList {
    private let source: any ReaderSource
    private let isFixed: Bool
    private var known: [OpenStore] = []

    init(_ source: any ReaderSource, isFixed: Bool) {
        self.source = source
        self.isFixed = isFixed
    }

    /// The current stores, or the stores of the first read.
    mutating func current() -> [OpenStore] {
        if !isFixed || known.isEmpty { known = source.stores }
        return known
    }

    /// Whether there were stores, and all of them were removed.
    var wereRemoved: Bool { source.hasRemovedStores }

    /// Removes stores that were removed from the data stack.
    mutating func forget(_ stores: [OpenStore]) {
        known.removeAll { known in stores.contains { $0 === known } }
    }
}
