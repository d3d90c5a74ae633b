import CofferStorage
import CofferStorageTools

/// Parses comparisons of format strings: the operator, its options `[cdnlw]` and its right side.
extension FormatParser {
    mutating func comparison(
        _ left: Part, _ symbol: PredicateFormat.Comparison.Operator, _ quantifier: QueryComparison.Quantifier = .one
    ) throws(PredicateFormatError) -> Part {
        guard case .expression = left.node else { throw error("AND, OR or the end") }
        let left = try expression(left)
        let options = symbol.takesOptions ? try textOptions() : []
        try advance()
        let right = try value(.set)
        return try made(
            .comparison(
                PredicateFormat.Comparison(left, symbol, right, options: options, quantifier: quantifier)))
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
