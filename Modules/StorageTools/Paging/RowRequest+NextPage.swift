package import CofferStorage

extension RowRequest {
    /// Returns requests to run one after the other, for the rows that follow a given row in the order of this request.
    ///
    /// The conditions compare the sort keys with the values of the row, so a store with an index on the first key
    /// reads one range of it, and no row of an earlier page. Null is last in descending order. The rows whose first
    /// key is null are then a separate request, because they are not part of the range. Ties are broken by key.
    ///
    /// - Parameters:
    ///   - values: the values of the row for the expressions of ``order``.
    ///   - key: the key of the row.
    package func following(_ values: [Value], key: Int64) -> [RowRequest] {
        var alternatives: [RowPredicate] = []
        var equalities: [RowPredicate] = []
        for (place, (sort, value)) in zip(order, values).enumerated() {
            if let later = sort.later(than: value, withNull: place > 0) {
                alternatives.append(.and(equalities + [later]))
            }
            equalities.append(.compare(sort.expression, .equal, .value(value)))
        }
        alternatives.append(.and(equalities + [.compare(.key, .greater, .value(.integer(key)))]))
        let rest = alternatives.count == 1 ? alternatives[0] : .or(alternatives)
        guard let first = order.first, let value = values.first else { return [adding(rest)] }
        if first.ascending { return [value.isNull ? adding(rest) : adding(first.range(from: value), rest)] }
        let isNull = RowPredicate.compare(first.expression, .equal, .value(.null))
        return value.isNull ? [adding(isNull, rest)] : [adding(first.range(from: value), rest), adding(isNull)]
    }

    private func adding(_ conditions: RowPredicate...) -> RowRequest {
        var request = self
        request.offset = 0
        request.predicate = .and([predicate] + conditions)
        return request
    }
}

extension RowSort {
    /// The condition on rows that come after a value; nil if there are none.
    fileprivate func later(than value: Value, withNull: Bool) -> RowPredicate? {
        if value.isNull { return ascending ? .compare(expression, .notEqual, .value(value)) : nil }
        if ascending { return .compare(expression, .greater, .value(value)) }
        let less = RowPredicate.compare(expression, .less, .value(value))
        return withNull ? .or([less, .compare(expression, .equal, .value(.null))]) : less
    }

    /// The condition on rows that have a value or, without null, come after it.
    ///
    /// A database finds the range of an index by this condition, and not by the alternatives that imply it.
    fileprivate func range(from value: Value) -> RowPredicate {
        .compare(expression, ascending ? .greaterOrEqual : .lessOrEqual, .value(value))
    }
}
