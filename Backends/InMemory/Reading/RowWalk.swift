import CofferEvaluation

/// The order in which a request with an order or a limit can visit its rows, so that the request ends early.
enum RowWalk {
    /// The order of the keys.
    case keys
    case index(IndexOrder)

    /// A part of an index that contains the rows in the order of a request.
    struct IndexOrder {
        let index: Int
        let ascending: Bool
        /// The number of columns of the index that are the first columns of the order.
        let columnCount: Int
        /// Whether the order and the index have no other columns.
        let isWhole: Bool
        /// The bounds of the first column.
        let bounds: ClosedRange<SortWord>
    }
}
