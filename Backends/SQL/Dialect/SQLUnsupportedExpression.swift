/// Why a request cannot be a statement: the dialect has no words for a part of it.
///
/// Not a failure. The request is answered by the reference evaluator, over ``SQLRows``.
public struct SQLUnsupportedExpression: Error, Hashable, Sendable {
    /// What there are no words for.
    public let what: String

    /// What there are no words for.
    public init(what: String) { self.what = what }
}
