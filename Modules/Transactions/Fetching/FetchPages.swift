import CofferSchema
import CofferStorage
import CofferStorageTools

/// Reads the objects of a fetch page by page, with 512 objects in a page by default.
///
/// A read sees one snapshot of a store. Each page is therefore a request for the rows after the last row of the
/// previous page, and nothing else is kept. In a transaction or in the view, objects can change between two pages. In
/// this case, the keys of all objects are read first, so that each object is visited once, whatever the program does
/// with it.
struct FetchPages {
    private enum Rest {
        case rows(RowPages)
        case keys(Slice<FetchedKeys>)
    }

    /// The rows of one store that were not read yet.
    private struct RowPages {
        let store: OpenStore
        /// The request for all rows.
        let whole: RowRequest
        /// The requests for the remaining rows, in their order.
        var requests: ArraySlice<RowRequest>
        /// How many rows the limit of the fetch still allows.
        var allowance: Int
    }

    private let state: ContextState
    private let size: Int
    private var rest: Rest

    init(_ state: ContextState, _ fetch: ObjectFetch) throws(StorageError) {
        self.state = state
        size = fetch.pageSize
        if state.keepsSnapshot, !state.isEditable, fetch.stores.count == 1 {
            let request = try fetch.request(fetch.stores[0])
            rest = .rows(
                RowPages(
                    store: fetch.stores[0], whole: request, requests: [request], allowance: request.limit ?? .max))
        } else {
            rest = .keys(try state.fetcher.keys(fetch)[...])
        }
    }

    /// Reads the next page; nil after the last one.
    mutating func next() throws(StorageError) -> [CoreStoreObject]? {
        switch rest {
        case .rows(var pages):
            let objects = try next(&pages)
            rest = .rows(pages)
            return objects
        case .keys(var keys):
            // Objects may be deleted in the meantime, so a page without objects is not always the last one.
            while !keys.isEmpty {
                let objects = try state.finder.objects(Array(keys.prefix(size)))
                keys = keys.dropFirst(size)
                rest = .keys(keys)
                if !objects.isEmpty { return objects }
            }
            return nil
        }
    }

    private func next(_ pages: inout RowPages) throws(StorageError) -> [CoreStoreObject]? {
        while pages.allowance > 0, var request = pages.requests.popFirst() {
            let limit = min(size, pages.allowance)
            request.limit = limit
            let objects = try state.fetcher.storedObjects(request, pages.store)
            pages.allowance -= objects.count
            if let last = objects.last?.row, objects.count == limit {
                let keys = try state.fetcher.sortKeys(of: [last], pages.whole.order, in: pages.store)
                pages.requests = pages.whole.following(keys[0], key: last.key)[...]
            }
            if !objects.isEmpty { return objects }
        }
        return nil
    }
}
