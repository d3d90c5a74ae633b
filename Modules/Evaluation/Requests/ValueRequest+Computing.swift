package import CofferStorage

extension ValueRequest.Term {
    /// Whether it is computed of integers, so that it may be a double too: one beyond 64 bits.
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
    /// The integer that a double equals, where there is one, so that of equal results all are the same.
    ///
    /// What is computed of integers can leave 64 bits on the way, and come back as a double.
    package var joiningIntegers: Value {
        guard case .double(let number) = self, let integer = Int64(exactly: number) else { return self }
        return .integer(integer)
    }
}
