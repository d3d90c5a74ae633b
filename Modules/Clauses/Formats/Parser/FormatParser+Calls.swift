/// Parses function calls, `TERNARY`, `SUBQUERY` and `CAST` of format strings, and refuses unknown functions.
extension FormatParser {
    /// Parses the call of a function whose name has colons; the parentheses are next.
    mutating func function(_ name: String) throws(PredicateFormatError) -> Part {
        let function = try lexer.function(named: name, at: start)
        try advance()
        return try call(function)
    }

    /// Parses the call of a function whose name is a word before a parenthesis.
    mutating func call(_ name: String) throws(PredicateFormatError) -> Part {
        switch name.uppercased() {
        case "FUNCTION": return try method()
        case "TERNARY": return try conditional()
        default: return try call(lexer.function(named: name, at: start))
        }
    }

    private mutating func call(_ function: FormatFunction) throws(PredicateFormatError) -> Part {
        try take(.openParenthesis)
        guard let count = function.argumentCount else {
            let arguments = try list(until: .closeParenthesis)
            return try made(.function(function.name, arguments))
        }
        let arguments = try members(
            count, "',' before another of the \(count) arguments of '\(function.name)'")
        try take(.closeParenthesis)
        return try made(.function(function.name, arguments))
    }

    /// Parses a fixed number of values between commas.
    private mutating func members(
        _ count: Int, _ comma: String? = nil
    ) throws(PredicateFormatError) -> [ExpressionFormat] {
        var members: [ExpressionFormat] = []
        for index in 0..<count {
            if index > 0 { try take(.comma, comma) }
            members.append(try member())
        }
        return members
    }

    private mutating func method() throws(PredicateFormatError) -> Part {
        try take(.openParenthesis)
        let receiver = try member()
        try take(.comma)
        let selector = try string("the name of a method, as a string")
        var arguments: [ExpressionFormat] = []
        while try skip(.comma) { arguments.append(try member()) }
        try take(.closeParenthesis, "',' or ')'")
        return try made(.call(receiver, selector, arguments))
    }

    private mutating func string(_ expected: String) throws(PredicateFormatError) -> String {
        guard case .string(let text) = token.kind else { throw error(expected) }
        try advance()
        return text
    }

    private mutating func conditional() throws(PredicateFormatError) -> Part {
        try take(.openParenthesis)
        let condition = try memberCondition()
        try take(.comma)
        let values = try members(2)
        try take(.closeParenthesis)
        return try made(.conditional(condition, values[0], values[1]))
    }

    mutating func subquery() throws(PredicateFormatError) -> Part {
        try advance()
        try take(.openParenthesis)
        let collection = try member()
        try take(.comma)
        guard case .variable(let variable) = token.kind else { throw error("a variable, such as $x") }
        try advance()
        try take(.comma)
        let condition = try memberCondition()
        try take(.closeParenthesis)
        return try made(.subquery(collection, variable: variable, condition))
    }

    mutating func fetch() throws(PredicateFormatError) -> Part {
        try advance()
        try take(.openParenthesis)
        let parts = try members(3)
        try take(.closeParenthesis)
        return try made(.fetch(parts[0], parts[1], parts[2]))
    }

    mutating func cast() throws(PredicateFormatError) -> Part {
        try advance()
        try take(.openParenthesis)
        let operand = try inner(.set)
        let value = try expression(operand)
        try take(.comma)
        let type = try string("the name of a type, as a string")
        try take(.closeParenthesis)
        guard operand.isLiteral, let constant = FormatCast.constant(value, type) else {
            return try made(.cast(value, type))
        }
        // The constant replaces the literal, so the cast is not a level of the tree.
        depth -= 1
        return try made(constant, isLiteral: true)
    }
}

extension FormatLexer {
    fileprivate func function(named name: String, at offset: Int) throws(PredicateFormatError) -> FormatFunction {
        if let function = FormatFunction.named(name) { return function }
        let hint =
            FormatFunction.nearest(to: name).map { "Did you mean '\($0)'?" }
            ?? "The functions are \(FormatFunction.names.map { "'\($0)'" }.joined(separator: ", "))."
        throw error(
            at: offset, "the name of a function", found: "'\(name)'",
            reason: "there is no function '\(name)'. \(hint)")
    }
}
