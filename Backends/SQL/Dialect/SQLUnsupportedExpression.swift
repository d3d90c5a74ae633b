/// The part of a request that the dialect cannot express.
///
/// Not a failure. The request is answered by the reference evaluator, over ``SQLRows``.
public struct SQLUnsupportedExpression: Error, Hashable, Sendable {
    /// The part that the dialect cannot express.
    public let what: String

    /// The part that the dialect cannot express.
    public init(what: String) { self.what = what }
}
