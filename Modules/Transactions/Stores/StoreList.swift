import CofferStorage

/// Where a context reads its rows: the stores of a data stack, or a parent transaction.
protocol ReaderSource: AnyObject {
    /// The stores as they are now.
    var stores: [OpenStore] { get }

    /// Whether there were stores, and all were removed.
    var hasRemovedStores: Bool { get }

    /// A reader of one of the stores.
    ///
    /// - Parameter isCurrent: whether it must show all that was committed, where copies of the store may show less.
    func makeReader(_ store: OpenStore, isCurrent: Bool) throws(StorageError) -> any StorageReader
}

/// The stores of a context.
///
/// A context that reads from one snapshot keeps the stores that it found when it first looked.
struct StoreList {
    private let source: any ReaderSource
    private let isFixed: Bool
    private var known: [OpenStore] = []

    init(_ source: any ReaderSource, isFixed: Bool) {
        self.source = source
        self.isFixed = isFixed
    }

    /// The stores as they are now, or as they were at the first look.
    mutating func current() -> [OpenStore] {
        if !isFixed || known.isEmpty { known = source.stores }
        return known
    }

    /// Whether there were stores, and all were removed.
    var wereRemoved: Bool { source.hasRemovedStores }

    /// Forgets stores that were removed from the data stack.
    mutating func forget(_ stores: [OpenStore]) {
        known.removeAll { known in stores.contains { $0 === known } }
    }
}
