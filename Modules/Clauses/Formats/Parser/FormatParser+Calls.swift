import CofferStorage
import CofferStorageTools
import Foundation

/// Parses function calls, `TERNARY`, `SUBQUERY` and `CAST` of format strings, and refuses unknown functions.
extension FormatParser {
    /// A function by its name with colons; the parentheses are next.
    mutating func function(_ name: String) throws(PredicateFormatError) -> Part {
        let start = token.start
        let function = try lexer.function(named: name, at: start)
        try advance()
        return try call(function, start)
    }

    /// A word before a parenthesis.
    mutating func call(_ name: String, _ start: Int) throws(PredicateFormatError) -> Part {
        switch name.uppercased() {
        case "FUNCTION": return try method(start)
        case "TERNARY": return try conditional(start)
        default: return try call(lexer.function(named: name, at: start), start)
        }
    }

    private mutating func call(_ function: FormatFunction, _ start: Int) throws(PredicateFormatError) -> Part {
        try take(.openParenthesis)
        guard let count = function.argumentCount else {
            let (arguments, depth) = try list(until: .closeParenthesis)
            return try made(.function(function.name, arguments), depth, start)
        }
        let (arguments, depth) = try members(
            count, "',' before another of the \(count) arguments of '\(function.name)'")
        try take(.closeParenthesis)
        return try made(.function(function.name, arguments), depth, start)
    }

    /// Parses a fixed number of values between commas.
    private mutating func members(
        _ count: Int, _ comma: String? = nil
    ) throws(PredicateFormatError) -> ([ExpressionFormat], depth: Int) {
        var members: [ExpressionFormat] = []
        var depth = 0
        for index in 0..<count {
            if index > 0 { try take(.comma, comma) }
            let (member, memberDepth) = try member()
            members.append(member)
            depth = max(depth, memberDepth)
        }
        return (members, depth)
    }

    private mutating func method(_ start: Int) throws(PredicateFormatError) -> Part {
        try take(.openParenthesis)
        let (receiver, depth) = try member()
        try take(.comma)
        guard case .string(let selector) = token.kind else { throw error("the name of a method, as a string") }
        try advance()
        var arguments: [ExpressionFormat] = []
        var deepest = depth
        while token.kind == .sign(.comma) {
            try advance()
            let (argument, argumentDepth) = try member()
            arguments.append(argument)
            deepest = max(deepest, argumentDepth)
        }
        try take(.closeParenthesis, "',' or ')'")
        return try made(.call(receiver, selector, arguments), deepest, start)
    }

    private mutating func conditional(_ start: Int) throws(PredicateFormatError) -> Part {
        try take(.openParenthesis)
        let (condition, depth) = try memberCondition()
        try take(.comma)
        let (values, valuesDepth) = try members(2)
        try take(.closeParenthesis)
        return try made(.conditional(condition, values[0], values[1]), max(depth, valuesDepth), start)
    }

    mutating func subquery() throws(PredicateFormatError) -> Part {
        let start = token.start
        try advance()
        try take(.openParenthesis)
        let (collection, depth) = try member()
        try take(.comma)
        guard case .variable(let variable) = token.kind else { throw error("a variable, such as $x") }
        try advance()
        try take(.comma)
        let (condition, conditionDepth) = try memberCondition()
        try take(.closeParenthesis)
        return try made(.subquery(collection, variable: variable, condition), max(depth, conditionDepth), start)
    }

    mutating func fetch() throws(PredicateFormatError) -> Part {
        let start = token.start
        try advance()
        try take(.openParenthesis)
        let (parts, depth) = try members(3)
        try take(.closeParenthesis)
        return try made(.fetch(parts[0], parts[1], parts[2]), depth, start)
    }

    mutating func cast() throws(PredicateFormatError) -> Part {
        let start = token.start
        try advance()
        try take(.openParenthesis)
        let operand = try inner(.set)
        return try cast(operand, start)
    }

    private mutating func cast(_ operand: Part, _ start: Int) throws(PredicateFormatError) -> Part {
        let (value, depth) = try expression(operand)
        try take(.comma)
        guard case .string(let type) = token.kind else { throw error("the name of a type, as a string") }
        try advance()
        try take(.closeParenthesis)
        if operand.isLiteral, let constant = FormatCast.constant(value, type) {
            return try made(constant, depth - 1, start, isLiteral: true)
        }
        return try made(.cast(value, type), depth, start)
    }
}

extension FormatLexer {
    fileprivate func function(named name: String, at offset: Int) throws(PredicateFormatError) -> FormatFunction {
        if let function = FormatFunction(named: name) { return function }
        let hint =
            FormatFunction.nearest(to: name).map { "Did you mean '\($0)'?" }
            ?? "The functions are \(FormatFunction.names.map { "'\($0)'" }.joined(separator: ", "))."
        throw PredicateFormatError(
            format: format, bytes: bytes, offset: offset, expected: "the name of a function", found: "'\(name)'",
            reason: "there is no function '\(name)'. \(hint)"
        )
    }
}
