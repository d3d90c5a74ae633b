public import CofferStorage

/// A compiled condition on rows, which can test many rows.
///
/// ``ReferenceEvaluator/predicate(_:)`` creates it.
public struct CompiledPredicate: Sendable {
    typealias Test = @Sendable (Row, any RowSource) -> Bool

    let test: Test
    /// The result, if it is the same for each row.
    package let constant: Bool?

    init(_ test: @escaping Test) {
        self.test = test
        constant = nil
    }

    init(constant: Bool) {
        test = { _, _ in constant }
        self.constant = constant
    }

    /// Returns whether the row fulfils the condition.
    ///
    /// - Parameter source: the source of related rows.
    public func matches(_ row: Row, in source: any RowSource) -> Bool { test(row, source) }
}
