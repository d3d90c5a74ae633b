/// The structures that fetch objects and query values in a context.
extension ContextState {
    var fetcher: Fetcher { Fetcher(state: self) }
    var pendingLookup: PendingLookup { PendingLookup(state: self) }
    var queryResolver: QueryResolver { QueryResolver(state: self) }
    var requestBuilder: RequestBuilder { RequestBuilder(state: self) }
}
