public import CofferStorage

/// A `RowPredicate` made ready to run over many rows.
///
/// Made by ``ReferenceEvaluator/predicate(_:)``.
public struct CompiledPredicate: Sendable {
    typealias Test = @Sendable (Row, any RowSource) -> Bool

    let test: Test
    /// The answer, when it is the same for every row.
    package let constant: Bool?

    init(_ test: @escaping Test) {
        self.test = test
        constant = nil
    }

    init(constant: Bool) {
        test = { _, _ in constant }
        self.constant = constant
    }

    /// Whether the row fulfils the condition.
    ///
    /// - Parameter source: where rows at the other end of relationships are found.
    public func matches(_ row: Row, in source: any RowSource) -> Bool {
        test(row, source)
    }
}
