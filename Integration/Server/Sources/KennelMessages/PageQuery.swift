public import Hummingbird

/// The part of the list of dogs that a request asks for, such as `?after=Rex&limit=20`.
public struct PageQuery: Sendable {
    /// The page begins with the first dog whose nickname is greater than this one; nil for the start of the list.
    public let after: String?
    /// The maximum number of dogs; 20 by default, and at most 1,000.
    public let limit: Int

    /// Reads the query of a request.
    ///
    /// - Throws: `HTTPError` with the status 400 if the limit is not a number from 1 to 1,000.
    public init(_ request: Request) throws {
        let parameters = request.uri.queryParameters
        after = parameters["after"].map(String.init)
        guard let limit = parameters["limit"].map({ Int($0) }) ?? 20, (1...1_000).contains(limit) else {
            throw HTTPError(.badRequest, message: "The limit is not a number from 1 to 1000.")
        }
        self.limit = limit
    }
}
