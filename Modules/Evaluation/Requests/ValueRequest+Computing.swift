package import CofferStorage

/// Finds terms that are computed from integers; if a result of such a term exceeds 64 bits, it is a double.
extension ValueRequest.Term {
    /// Whether the term is computed from integers, so that a result beyond 64 bits is a double.
    package func isComputedInteger(_ layout: ModelLayout) -> Bool {
        switch self {
        case .aggregate(.count, _): false
        case .expression(let expression): expression.isComputedInteger(layout)
        case .aggregate(let aggregate, let expression):
            aggregate.kind(of: layout.kind(of: expression)) == .integer && expression.isComputed
        }
    }
}

extension RowExpression {
    func isComputedInteger(_ layout: ModelLayout) -> Bool { layout.kind(of: self) == .integer && isComputed }

    fileprivate var isComputed: Bool {
        switch self {
        case .value, .column, .key, .count: false
        case .function, .aggregate: true
        case .through(_, let inner), .outer(let inner): inner.isComputed
        case .conditional(_, let first, let second): first.isComputed || second.isComputed
        }
    }
}

extension Value {
    /// Converts a double to the integer that it equals, if there is one, so that equal results are identical.
    ///
    /// A value that is computed from integers can be beyond 64 bits in between, and become a double.
    package var joiningIntegers: Value {
        guard case .double(let number) = self, let integer = Int64(exactly: number) else { return self }
        return .integer(integer)
    }
}
