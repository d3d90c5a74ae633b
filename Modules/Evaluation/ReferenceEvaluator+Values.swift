public import CofferStorage

/// Evaluates requests for values: columns, aggregates, groups and conditions on groups.
extension ReferenceEvaluator {
    /// Returns the values of a request: for each row or group, a value for each term.
    ///
    /// If a distinct request has no aggregates, each result is a group of all terms. If groups are equal in the order,
    /// or if there is no order, they are sorted by their values, null first.
    ///
    /// - Throws: `invalidRequest` if the request does not fit the layout, `invalidValue` if a sum cannot be exact.
    public func values(_ request: ValueRequest, in source: any RowSource) throws(StorageError) -> [[Value]] {
        try values(request, in: source) { rows, body in forEachMatch(rows, in: source, body) }
    }

    /// Returns the values of a request, with a closure that finds the matching rows in the order of their keys.
    package func values(
        _ request: ValueRequest, in source: any RowSource,
        matches: (RowRequest, (Row) -> Bool) -> Void
    ) throws(StorageError) -> [[Value]] {
        try layout.check(request)
        if let limit = request.rows.limit, limit <= 0 { return [] }
        guard request.isGrouped || request.isDistinct else {
            return ungrouped(request, in: source, matches)
        }
        var request = request
        if !request.isGrouped {
            request.groups = request.terms.compactMap { if case .expression(let it) = $0 { it } else { nil } }
            request.isDistinct = false
        }
        return try grouped(request, in: source, matches)
    }

    private func ungrouped(
        _ request: ValueRequest, in source: any RowSource, _ matches: (RowRequest, (Row) -> Bool) -> Void
    ) -> [[Value]] {
        let terms = request.terms.map { term in
            let expression: RowExpression = if case .expression(let it) = term { it } else { .value(.null) }
            return (value: CompiledExpression(expression, in: layout).value, isJoined: term.isComputedInteger(layout))
        }
        return rows(request.rows, in: source, matches: matches).map { row in
            terms.map { $0.isJoined ? $0.value(row, source).joiningIntegers : $0.value(row, source) }
        }
    }

    private func grouped(
        _ request: ValueRequest, in source: any RowSource, _ matches: (RowRequest, (Row) -> Bool) -> Void
    ) throws(StorageError) -> [[Value]] {
        var grouping = Grouping(request.groups, in: layout)
        var terms: [ValueRequest.Term: Int] = [:]
        var aggregators: [Aggregator] = []
        for term in request.terms + (request.having?.terms ?? []) {
            guard case .aggregate(let aggregate, let expression) = term, terms[term] == nil else { continue }
            terms[term] = aggregators.count
            aggregators.append(Aggregator(aggregate, expression, in: layout, entity: request.rows.entity))
        }
        var firsts: [Row] = []
        let count = aggregators.count
        matches(request.rows) { row in
            let group = grouping.number(row, source)
            if group == firsts.count {
                firsts.append(row)
                for index in 0..<count { aggregators[index].addGroup() }
            }
            for index in 0..<count { aggregators[index].add(row, to: group, source) }
            return true
        }
        guard !request.groups.isEmpty else {
            if firsts.isEmpty { for index in 0..<count { aggregators[index].addGroup() } }
            return try results(request, [nil], terms, aggregators, source)
        }
        let order = order(request.rows.order + request.groups.map { RowSort($0, ascending: true) })
        let places = Dictionary(
            firsts.enumerated().map { ($0.element.key, $0.offset) }, uniquingKeysWith: { first, _ in first }
        )
        let sorted = sorted(firsts, by: order, in: source, limit: nil)
        return try results(request, sorted.map { (places[$0.key] ?? 0, $0) }, terms, aggregators, source)
    }

    private func results(
        _ request: ValueRequest, _ groups: [(place: Int, first: Row)?], _ places: [ValueRequest.Term: Int],
        _ aggregators: [Aggregator], _ source: any RowSource
    ) throws(StorageError) -> [[Value]] {
        let expressions = Dictionary(
            request.groups.map { ($0, CompiledExpression($0, in: layout).value) },
            uniquingKeysWith: { first, _ in first }
        )
        let areJoined = request.terms.map { $0.isComputedInteger(layout) }
        let window = window(request.rows)
        var results: [[Value]] = []
        var seen: Set<[Value]> = []
        for group in groups {
            let value = { (term: ValueRequest.Term, isInCondition: Bool) throws(StorageError) -> Value in
                if case .expression(let expression) = term {
                    return group.flatMap { group in expressions[expression]?(group.first, source) } ?? .null
                }
                return try places[term].map { place throws(StorageError) in
                    try aggregators[place].result(group?.place ?? 0, isInCondition: isInCondition)
                } ?? .null
            }
            let holds = try request.having?.holds { term throws(StorageError) in try value(term, true) } ?? true
            if !holds { continue }
            var result: [Value] = []
            result.reserveCapacity(request.terms.count)
            for (term, isJoined) in zip(request.terms, areJoined) {
                let value = try value(term, false)
                result.append(isJoined ? value.joiningIntegers : value)
            }
            if request.isDistinct, !seen.insert(result).inserted { continue }
            results.append(result)
            if let end = window.end, results.count >= end { break }
        }
        return cut(results, window)
    }
}

extension ValueRequest.Having {
    /// The terms of the condition.
    package var terms: [ValueRequest.Term] {
        switch self {
        case .compare(let term, _, _): [term]
        case .and(let parts), .or(let parts): parts.flatMap(\.terms)
        case .not(let part): part.terms
        }
    }

    func holds(_ value: (ValueRequest.Term) throws(StorageError) -> Value) throws(StorageError) -> Bool {
        switch self {
        case .compare(let term, let comparison, let constant):
            return comparison.holds(try value(term), constant)
        case .and(let parts):
            for part in parts where try !part.holds(value) { return false }
            return true
        case .or(let parts):
            for part in parts where try part.holds(value) { return true }
            return false
        case .not(let part):
            return try !part.holds(value)
        }
    }
}
