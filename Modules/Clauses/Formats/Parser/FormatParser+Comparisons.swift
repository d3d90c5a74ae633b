import CofferStorage
import CofferStorageTools

/// Comparisons: the operator, its options, and what is behind it.
extension FormatParser {
    mutating func comparison(
        _ left: Part, quantifier: QueryComparison.Quantifier, start: Int
    ) throws(PredicateFormatError) -> Part {
        guard case .expression = left.node else { throw error("AND, OR or the end") }
        let (symbol, options) = try comparisonOperator()
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

    private mutating func comparisonOperator() throws(PredicateFormatError) -> (
        PredicateFormat.Comparison.Operator, TextOptions
    ) {
        let symbol = self.symbol
        var options: TextOptions = []
        if symbol.takesOptions, let found = try lexer.options() {
            options = try textOptions(found.letters, at: found.start)
        }
        try advance()
        return (symbol, options)
    }

    private func textOptions(_ letters: String, at start: Int) throws(PredicateFormatError) -> TextOptions {
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

    private var symbol: PredicateFormat.Comparison.Operator {
        switch token.kind {
        case .selector(let name): .selector(name)
        case .keyword(let keyword): Self.keywords[keyword] ?? .equal
        case .sign(let sign): Self.signs[sign] ?? .equal
        default: .equal
        }
    }

    private static let keywords: [FormatKeyword: PredicateFormat.Comparison.Operator] = [
        .isIn: .isIn, .contains: .contains, .beginsWith: .beginsWith, .endsWith: .endsWith, .like: .like,
        .matches: .matches, .between: .between, .conformsToType: .conformsToType, .equalsType: .equalsType,
    ]

    private static let signs: [FormatSign: PredicateFormat.Comparison.Operator] = [
        .equal: .equal, .equalToo: .equal, .notEqual: .notEqual, .notEqualToo: .notEqual, .less: .less,
        .lessOrEqual: .lessOrEqual, .lessOrEqualToo: .lessOrEqual, .greater: .greater,
        .greaterOrEqual: .greaterOrEqual, .greaterOrEqualToo: .greaterOrEqual,
    ]
}

extension PredicateFormat.Comparison.Operator {
    fileprivate var takesOptions: Bool {
        switch self {
        case .between, .conformsToType, .equalsType, .selector: false
        default: true
        }
    }
}
