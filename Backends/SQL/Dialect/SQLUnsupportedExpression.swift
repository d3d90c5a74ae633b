/// The error for a part of a request that SQL cannot express.
///
/// This error is not a failure. The reference evaluator then answers the request, over ``SQLRows``.
public struct SQLUnsupportedExpression: Error, Hashable, Sendable {
    /// The part that the dialect cannot express.
    public let what: String

    /// Creates the error for a part of a request.
    public init(what: String) { self.what = what }
}
