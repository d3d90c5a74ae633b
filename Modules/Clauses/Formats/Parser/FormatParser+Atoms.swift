import CofferStorage
import Foundation

/// Parses operands of format strings: keys, lists, indexes and arguments; limits decimals to 38 digits.
extension FormatParser {
    mutating func atom() throws(PredicateFormatError) -> Part {
        // Many frames of this function may be on the stack, so other functions do the work of the cases.
        switch token.kind {
        case .sign(.openBrace): try collection()
        case .key: try key()
        case .keyword(let keyword): try atom(keyword)
        case .selector(let name): try function(name)
        case .variable(let name): try variable(name)
        case .argument: try argument()
        case .keyArgument, .pathOperator: try made(.path(.evaluatedObject, keys()))
        case .string(let text): try literal(.text(text))
        case .number: try made(.constant(number(isNegative: false)), isLiteral: true)
        default: throw error("a value")
        }
    }

    private mutating func atom(_ keyword: FormatKeyword) throws(PredicateFormatError) -> Part {
        switch keyword {
        case .subquery: return try subquery()
        case .cast: return try cast()
        case .fetch: return try fetch()
        case .null, .nil: return try literal(.null)
        case .true, .yes: return try literal(.boolean(true))
        case .false, .no: return try literal(.boolean(false))
        case .evaluatedObject:
            try advance()
            return try made(.evaluatedObject)
        default: throw error("a value (a key that is a reserved word is written #\(lexer.text(from: token.start)))")
        }
    }

    private mutating func literal(_ value: Value) throws(PredicateFormatError) -> Part {
        try advance()
        return try made(.constant(value), isLiteral: true)
    }

    mutating func number(isNegative: Bool) throws(PredicateFormatError) -> FormatConstant {
        guard case .number(let number) = token.kind else { throw error("a number") }
        let start = token.start
        try advance()
        switch number {
        case .double(let value): return FormatConstant(.double(isNegative ? -value : value))
        case .integer(let value):
            if value <= UInt64(Int64.max) { return FormatConstant(.integer(isNegative ? -Int64(value) : Int64(value))) }
            if isNegative, value == Int64.min.magnitude { return FormatConstant(.integer(.min)) }
            let decimal = Decimal(value)
            return FormatConstant(.decimal(isNegative ? -decimal : decimal))
        case .digits(let text):
            // A decimal has at most 38 digits. A longer number is an error; it is not rounded silently.
            let digits = text.drop { $0 == "0" }
            guard digits.utf8.count <= 38, let decimal = Decimal(string: String(digits)) else {
                throw lexer.error(at: start, "a number of at most 38 digits")
            }
            return FormatConstant(.decimal(isNegative ? -decimal : decimal))
        }
    }

    private mutating func argument() throws(PredicateFormatError) -> Part {
        let argument = try nextArgument()
        guard let expression = ExpressionFormat.argument(argument) else {
            throw error(
                "argument \(usedArgumentCount) to be a value, a collection of values or an object, not \(type(of: argument))"
            )
        }
        try advance()
        depth = expression.argumentDepth
        return try made(expression)
    }

    /// The keys of a path that is an argument.
    private mutating func keyArgument() throws(PredicateFormatError) -> [String] {
        let argument = try nextArgument()
        let keys = (argument as? String)?.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard let keys, !keys.contains("") else {
            throw error("argument \(usedArgumentCount) to be a key path, as a string")
        }
        try advance()
        return keys
    }

    private mutating func nextArgument() throws(PredicateFormatError) -> Any {
        guard usedArgumentCount < arguments.count else {
            throw error("an argument for this placeholder (arguments: \(usedArgumentCount))")
        }
        usedArgumentCount += 1
        return arguments[usedArgumentCount - 1]
    }

    private mutating func variable(_ name: String) throws(PredicateFormatError) -> Part {
        try advance()
        guard try skip(.assign) else { return try made(.variable(name)) }
        let value = try value(.set)
        return try made(.assignment(name, value))
    }

    private mutating func key() throws(PredicateFormatError) -> Part {
        let isEscaped = lexer.bytes[start] == UInt8(ascii: "#")
        let keys = try keys()
        if !isEscaped, token.kind == .sign(.openParenthesis) { return try call(keys[0]) }
        return try made(.path(.evaluatedObject, keys))
    }

    private mutating func collection() throws(PredicateFormatError) -> Part {
        try advance()
        return try made(.collection(list(until: .closeBrace)), isLiteral: true)
    }

    /// Parses values between commas, up to the closing bracket.
    mutating func list(until end: FormatSign) throws(PredicateFormatError) -> [ExpressionFormat] {
        var members: [ExpressionFormat] = []
        if token.kind != .sign(end) {
            repeat {
                if let literal = try literalMember(before: end) {
                    members.append(literal)
                    depth = max(depth, 1)
                } else {
                    members.append(try member())
                }
            } while try skip(.comma)
        }
        try take(end, "',' or '\(end.rawValue)'")
        return members
    }

    /// Parses a number or a string that is a whole member of a list; returns nil for another member.
    ///
    /// Long lists have only such members. The parser does not need to examine operators for these members.
    private mutating func literalMember(before end: FormatSign) throws(PredicateFormatError) -> ExpressionFormat? {
        // The limit is the same as for other members, which count as two levels.
        guard nesting + 2 <= Self.maximumDepth * 3 else { return nil }
        let (first, place) = (token, lexer.place)
        let literal: FormatConstant
        switch token.kind {
        case .string(let text):
            literal = FormatConstant(.text(text))
            try advance()
        case .number:
            literal = try number(isNegative: false)
        case .sign(.minus):
            try advance()
            guard case .number = token.kind else {
                (token, lexer.place) = (first, place)
                return nil
            }
            literal = try number(isNegative: true)
        default: return nil
        }
        guard case .sign(let sign) = token.kind, sign == .comma || sign == end else {
            (token, lexer.place) = (first, place)
            return nil
        }
        return .constant(literal)
    }

    /// Parses the keys and indexes behind a value.
    mutating func postfixed(_ atom: Part) throws(PredicateFormatError) -> Part {
        var part = atom
        while true {
            switch token.kind {
            case .sign(.dot): part = try path(from: part)
            case .sign(.openBracket): part = try index(of: part)
            default: return part
            }
        }
    }

    private mutating func path(from part: Part) throws(PredicateFormatError) -> Part {
        var base = try expression(part)
        var keys: [String] = []
        if !part.isEnclosed, case .path(let first, let firstKeys) = base {
            (base, keys) = (first, firstKeys)
            depth -= 1
        }
        while try skip(.dot) { keys += try self.keys() }
        return try made(.path(base, keys))
    }

    private mutating func index(of part: Part) throws(PredicateFormatError) -> Part {
        let base = try expression(part)
        try advance()
        let index = try index()
        try take(.closeBracket)
        return try made(.index(base, index))
    }

    private mutating func keys() throws(PredicateFormatError) -> [String] {
        let name: String
        switch token.kind {
        case .keyArgument: return try keyArgument()
        case .key(let word), .pathOperator(let word): name = word
        case .keyword(let keyword):
            name = lexer.text(from: token.start)
            if [.first, .last, .size].contains(keyword) { throw error("a key (a reserved word is written #\(name))") }
        default: throw error("a key")
        }
        try advance()
        return [name]
    }

    private mutating func index() throws(PredicateFormatError) -> ExpressionFormat.Index {
        let index: ExpressionFormat.Index
        switch token.kind {
        case .keyword(.first): index = .first
        case .keyword(.last): index = .last
        case .keyword(.size): index = .size
        default: return .at(try member())
        }
        try advance()
        return index
    }
}

extension ExpressionFormat {
    /// The number of levels that an argument adds.
    fileprivate var argumentDepth: Int {
        switch self {
        case .collection(let members): (members.map(\.argumentDepth).max() ?? -1) + 1
        case .dictionary(let entries): (entries.values.map(\.argumentDepth).max() ?? -1) + 1
        default: 0
        }
    }
}
