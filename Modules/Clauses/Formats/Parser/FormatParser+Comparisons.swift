import CofferStorage
import CofferStorageTools

/// Parses comparisons of format strings: the operator, its options `[cdnlw]` and its right side.
extension FormatParser {
    mutating func comparison(
        _ left: Part, _ symbol: PredicateFormat.Comparison.Operator, quantifier: QueryComparison.Quantifier, start: Int
    ) throws(PredicateFormatError) -> Part {
        guard case .expression = left.node else { throw error("AND, OR or the end") }
        let options = symbol.takesOptions ? try textOptions() : []
        try advance()
        let right = try part(.set)
        return try comparison(left, symbol, right, options, quantifier, start)
    }

    private func comparison(
        _ left: Part, _ symbol: PredicateFormat.Comparison.Operator, _ right: Part, _ options: TextOptions,
        _ quantifier: QueryComparison.Quantifier, _ start: Int
    ) throws(PredicateFormatError) -> Part {
        let (a, depth) = try expression(left)
        let (b, otherDepth) = try expression(right)
        let comparison = PredicateFormat.Comparison(a, symbol, b, options: options, quantifier: quantifier)
        return try made(.comparison(comparison), max(depth, otherDepth), start)
    }

    /// Parses the options between brackets directly after the operator; without brackets, there are no options.
    private mutating func textOptions() throws(PredicateFormatError) -> TextOptions {
        guard let (letters, start) = try lexer.options() else { return [] }
        var options: TextOptions = []
        for (index, letter) in letters.lowercased().enumerated() {
            guard let option = TextOptions(letter: letter) else {
                throw lexer.error(at: start + index, "the letters c, d, n, l or w between the brackets")
            }
            options.insert(option)
        }
        if options.isEmpty { throw lexer.error(at: start, "the letters c, d, n, l or w between the brackets") }
        return options
    }
}

extension PredicateFormat.Comparison.Operator {
    fileprivate var takesOptions: Bool {
        switch self {
        case .between, .conformsToType, .equalsType, .selector: false
        default: true
        }
    }
}
