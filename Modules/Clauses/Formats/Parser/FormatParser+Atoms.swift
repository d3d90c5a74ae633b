import CofferStorage
import CofferStorageTools
import Foundation

/// Parses operands of format strings: keys, lists, indexes and arguments; limits decimals to 38 digits.
extension FormatParser {
    mutating func atom() throws(PredicateFormatError) -> Part {
        // Many levels of this may be on the stack, so the cases do their work elsewhere.
        switch token.kind {
        case .sign(.openBrace): try collection()
        case .key: try key()
        case .keyword(let keyword): try atom(keyword)
        case .selector(let name): try function(name)
        case .variable(let name): try variable(name)
        case .argument: try argument()
        case .keyArgument: try keyPathArgument()
        case .pathOperator, .string, .number: try simple()
        default: throw error("a value")
        }
    }

    private mutating func atom(_ keyword: FormatKeyword) throws(PredicateFormatError) -> Part {
        switch keyword {
        case .subquery: try subquery()
        case .cast: try cast()
        case .fetch: try fetch()
        default: try simple(keyword)
        }
    }

    private mutating func simple() throws(PredicateFormatError) -> Part {
        let start = token.start
        switch token.kind {
        case .string(let text): return try literal(.text(text), start)
        case .pathOperator(let name):
            try advance()
            return try made(.path(.evaluatedObject, [name]), 0, start)
        default:
            let number = try number(isNegative: false)
            return try made(.constant(number), 0, start, isLiteral: true)
        }
    }

    private mutating func simple(_ keyword: FormatKeyword) throws(PredicateFormatError) -> Part {
        let start = token.start
        switch keyword {
        case .null, .nil: return try literal(.null, start)
        case .true, .yes: return try literal(.boolean(true), start)
        case .false, .no: return try literal(.boolean(false), start)
        case .evaluatedObject:
            try advance()
            return try made(.evaluatedObject, 0, start)
        default:
            throw error("a value (a key that is a reserved word is written #\(lexer.word(of: token)))")
        }
    }

    private mutating func literal(_ value: Value, _ start: Int) throws(PredicateFormatError) -> Part {
        try advance()
        return try made(.constant(value), 0, start, isLiteral: true)
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
            // Decimals keep 38 digits; a longer number is not rounded behind anyone's back.
            let digits = text.drop { $0 == "0" }
            guard digits.utf8.count <= 38, let decimal = Decimal(string: String(digits)) else {
                throw lexer.error(at: start, "a number of at most 38 digits")
            }
            return FormatConstant(.decimal(isNegative ? -decimal : decimal))
        }
    }

    private mutating func argument() throws(PredicateFormatError) -> Part {
        let start = token.start
        guard let argument = arguments.next() else { throw missingArgument() }
        guard let expression = ExpressionFormat(argument: argument) else {
            throw lexer.error(
                at: start,
                "argument \(arguments.taken) to be a value, a collection of values or an object, not \(type(of: argument))"
            )
        }
        try advance()
        return try made(expression, expression.argumentDepth, start)
    }

    /// The keys of a path that is an argument.
    mutating func keyArgument() throws(PredicateFormatError) -> [String] {
        let start = token.start
        guard let argument = arguments.next() else { throw missingArgument() }
        let keys = (argument as? String)?.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard let keys, !keys.contains("") else {
            throw lexer.error(at: start, "argument \(arguments.taken) to be a key path, as a string")
        }
        try advance()
        return keys
    }

    private func missingArgument() -> PredicateFormatError {
        lexer.error(at: token.start, "an argument for this place, of which there are \(arguments.taken)")
    }

    private mutating func variable(_ name: String) throws(PredicateFormatError) -> Part {
        let start = token.start
        try advance()
        guard token.kind == .sign(.assign) else { return try made(.variable(name), 0, start) }
        try advance()
        let (value, depth) = try value(.set)
        return try made(.assignment(name, value), depth, start)
    }

    private mutating func keyPathArgument() throws(PredicateFormatError) -> Part {
        let start = token.start
        let keys = try keyArgument()
        return try made(.path(.evaluatedObject, keys), 0, start)
    }

    private mutating func key() throws(PredicateFormatError) -> Part {
        let word = token
        let keys = try keys()
        if !word.isEscaped, token.kind == .sign(.openParenthesis) { return try call(keys[0], word.start) }
        return try made(.path(.evaluatedObject, keys), 0, word.start)
    }

    private mutating func collection() throws(PredicateFormatError) -> Part {
        let start = token.start
        try advance()
        let (members, depth) = try list(until: .closeBrace)
        return try made(.collection(members), depth, start, isLiteral: true)
    }

    /// Values between commas, up to a bracket.
    mutating func list(
        until end: FormatSign
    ) throws(PredicateFormatError) -> (members: [ExpressionFormat], depth: Int) {
        var members: [ExpressionFormat] = []
        var depth = 0
        if token.kind != .sign(end) {
            while true {
                if let literal = try literalMember(before: end) {
                    members.append(literal)
                    depth = max(depth, 1)
                } else {
                    let (member, memberDepth) = try member()
                    members.append(member)
                    depth = max(depth, memberDepth)
                }
                guard token.kind == .sign(.comma) else { break }
                try advance()
            }
        }
        try take(end, "',' or '\(end.rawValue)'")
        return (members, depth)
    }

    /// A number or a string that is a whole member of a list; nil if the next member is something else.
    ///
    /// Long lists have such members only, and these need no look at operators.
    private mutating func literalMember(before end: FormatSign) throws(PredicateFormatError) -> ExpressionFormat? {
        // The same limit as for other members, which count as two levels.
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
        var (base, depth) = try expression(part)
        var keys: [String] = []
        if !part.isEnclosed, case .path(let first, let firstKeys) = base {
            (base, keys, depth) = (first, firstKeys, depth - 1)
        }
        while token.kind == .sign(.dot) {
            try advance()
            keys += try self.keys()
        }
        return try made(.path(base, keys), depth, part.start)
    }

    private mutating func index(of part: Part) throws(PredicateFormatError) -> Part {
        let (base, depth) = try expression(part)
        try advance()
        let (index, indexDepth) = try index()
        try take(.closeBracket)
        return try made(.index(base, index), max(depth, indexDepth), part.start)
    }

    private mutating func keys() throws(PredicateFormatError) -> [String] {
        switch token.kind {
        case .keyArgument: return try keyArgument()
        case .key(let name), .pathOperator(let name):
            try advance()
            return [name]
        case .keyword(let keyword) where ![.first, .last, .size].contains(keyword):
            let name = lexer.word(of: token)
            try advance()
            return [name]
        case .keyword: throw error("a key (a reserved word is written #\(lexer.word(of: token)))")
        default: throw error("a key")
        }
    }

    private mutating func index() throws(PredicateFormatError) -> (ExpressionFormat.Index, depth: Int) {
        let index: ExpressionFormat.Index
        switch token.kind {
        case .keyword(.first): index = .first
        case .keyword(.last): index = .last
        case .keyword(.size): index = .size
        default:
            let (position, depth) = try member()
            return (.at(position), depth)
        }
        try advance()
        return (index, 0)
    }
}

extension FormatLexer {
    /// The spelling of a token.
    func word(of token: FormatToken) -> String {
        String(decoding: bytes[token.start..<token.end], as: UTF8.self)
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
