import CofferStorageTools

/// Parses a format string of at most 1 MiB and 64 levels to a syntax tree, by operator precedence.
///
/// A parenthesis may begin a condition or a value. The same functions parse both, and distinguish them when an operator
/// requires one of them.
struct FormatParser {
    /// The maximum number of bytes of a format string.
    static let maximumLength = 1 << 20
    /// The maximum number of levels of a tree.
    ///
    /// One megabyte of stack is sufficient to parse, print and compare a tree of this depth, also in a debug build.
    static let maximumDepth = 64

    /// The precedence of the operators, the loosest first.
    enum Precedence: Int, Comparable {
        case or, and, not, comparison, set, bitwiseOr, bitwiseXor, bitwiseAnd, shift, sum, product, power, unary

        var next: Precedence { Precedence(rawValue: rawValue + 1) ?? .unary }

        static func < (left: Precedence, right: Precedence) -> Bool { left.rawValue < right.rawValue }
    }

    /// A part of the tree, with the facts that later decisions need.
    struct Part {
        enum Node {
            case predicate(PredicateFormat)
            case expression(ExpressionFormat)
        }

        var node: Node
        var depth: Int
        var start: Int
        /// Whether the part is a literal without parentheses.
        var isLiteral = false
        /// Whether the part is between parentheses.
        var isEnclosed = false
    }

    var lexer: FormatLexer
    var token: FormatToken
    let arguments: [Any]
    /// The number of arguments that the places before the current token have used.
    var usedArgumentCount = 0
    private(set) var nesting = 0
    /// The place where the current part begins, in bytes.
    private(set) var start = 0
    /// The depth of the deepest part inside the current part.
    var depth = 0

    init(_ format: String, _ arguments: [Any]) throws(PredicateFormatError) {
        lexer = FormatLexer(format)
        self.arguments = arguments
        guard lexer.bytes.count <= Self.maximumLength else {
            throw lexer.error(
                at: Self.maximumLength, "a format string of at most \(Self.maximumLength) bytes", found: nil)
        }
        token = try lexer.next()
    }

    /// Parses the whole format string as a condition.
    mutating func predicate() throws(PredicateFormatError) -> PredicateFormat {
        let predicate = try condition(.or)
        guard token.kind == .end else { throw error("AND, OR or the end") }
        return predicate
    }

    /// Parses the whole format string as a value.
    mutating func expression() throws(PredicateFormatError) -> ExpressionFormat {
        let expression = try value(.set)
        guard token.kind == .end else { throw error("an operator between values, or the end") }
        return expression
    }
}

extension FormatParser {
    /// Parses up to an operator that binds less tightly than `minimum`.
    ///
    /// A printed level of the tree uses at most three levels of the parser: two for its own notation, and one for its
    /// parentheses.
    mutating func part(_ minimum: Precedence) throws(PredicateFormatError) -> Part {
        let outer = (start, depth)
        (start, depth) = (token.start, 0)
        nesting += 1
        defer {
            (start, depth) = outer
            nesting -= 1
        }
        guard nesting <= Self.maximumDepth * 3 else { throw tooDeep(at: token.start) }
        var left: Part
        switch token.kind {
        // These parts are nested more often than others, so they use fewer stack frames.
        case .sign(.openParenthesis): left = try enclosed()
        case .keyword(.not), .sign(.not): left = try negated()
        default: left = try prefixed()
        }
        while let infix = token.kind.infix, infix.precedence >= minimum {
            left = try extend(left, infix)
        }
        return left
    }

    private mutating func extend(_ left: Part, _ infix: FormatInfix) throws(PredicateFormatError) -> Part {
        switch infix {
        case .and, .or: try compound(left, infix)
        case .comparison(let symbol): try comparison(left, symbol)
        case .binary(let symbol): try binary(left, symbol)
        }
    }

    private mutating func binary(
        _ left: Part, _ symbol: ExpressionFormat.BinaryOperator
    ) throws(PredicateFormatError) -> Part {
        let left = try expression(left)
        try advance()
        let right = try value(symbol.precedence.next)
        return try made(.binary(symbol, left, right))
    }

    private mutating func compound(_ left: Part, _ infix: FormatInfix) throws(PredicateFormatError) -> Part {
        var parts = [try predicate(left)]
        while token.kind.infix == infix {
            try advance()
            parts.append(try condition(infix.precedence.next))
        }
        return try made(infix == .and ? .and(parts) : .or(parts))
    }

    private mutating func prefixed() throws(PredicateFormatError) -> Part {
        switch token.kind {
        case .keyword(.any), .keyword(.some): return try quantified(.any)
        case .keyword(.all): return try quantified(.all)
        case .keyword(.none): return try quantified(.none)
        case .keyword(.truePredicate): return try constant(true)
        case .keyword(.falsePredicate): return try constant(false)
        case .sign(.minus), .sign(.plus), .sign(.complement): return try unary()
        default:
            return try postfixed(atom())
        }
    }

    private mutating func enclosed() throws(PredicateFormatError) -> Part {
        try advance()
        var inner = try part(.or)
        try take(.closeParenthesis)
        inner.start = start
        inner.isLiteral = false
        inner.isEnclosed = true
        return try postfixed(inner)
    }

    private mutating func negated() throws(PredicateFormatError) -> Part {
        try advance()
        return try made(.not(condition(.comparison)))
    }

    private mutating func constant(_ holds: Bool) throws(PredicateFormatError) -> Part {
        try advance()
        return try made(.constant(holds))
    }

    private mutating func quantified(
        _ quantifier: QueryComparison.Quantifier
    ) throws(PredicateFormatError) -> Part {
        try advance()
        let left = try part(.set)
        guard case .comparison(let symbol)? = token.kind.infix else { throw error("a comparison, such as ==") }
        return try comparison(left, symbol, quantifier)
    }

    private mutating func unary() throws(PredicateFormatError) -> Part {
        let sign = token.kind
        try advance()
        if sign == .sign(.minus), let part = try negativeNumber() { return part }
        let operand = try inner(.unary)
        let value = try expression(operand)
        switch sign {
        case .sign(.minus): return try made(.unary(.negate, value))
        case .sign(.complement): return try made(.unary(.complement, value))
        default:
            // The result is the operand itself, because a plus sign is not a level of the tree.
            depth -= 1
            return try made(value)
        }
    }

    /// Parses a number directly after its minus sign.
    ///
    /// Returns nil if the next token is not a number, or if `[` or `.` after the number binds more tightly than the
    /// sign.
    private mutating func negativeNumber() throws(PredicateFormatError) -> Part? {
        guard case .number = token.kind else { return nil }
        let (literal, end) = (token, lexer.place)
        let number = try number(isNegative: true)
        if token.kind == .sign(.openBracket) || token.kind == .sign(.dot) {
            (token, lexer.place) = (literal, end)
            return nil
        }
        return try made(.constant(number), isLiteral: true)
    }
}

extension FormatParser {
    mutating func advance() throws(PredicateFormatError) { token = try lexer.next() }

    /// Takes a sign if it is the next token; returns whether the sign was taken.
    mutating func skip(_ sign: FormatSign) throws(PredicateFormatError) -> Bool {
        guard token.kind == .sign(sign) else { return false }
        try advance()
        return true
    }

    /// Takes a sign, which must be the next token.
    mutating func take(_ sign: FormatSign, _ expected: String? = nil) throws(PredicateFormatError) {
        guard try skip(sign) else { throw error(expected ?? "'\(sign.rawValue)'") }
    }

    /// Creates the part that the current tokens describe, one level above the parts inside it.
    mutating func made(_ predicate: PredicateFormat) throws(PredicateFormatError) -> Part {
        Part(node: .predicate(predicate), depth: try nextDepth(), start: start)
    }

    /// Creates the part that the current tokens describe, one level above the parts inside it.
    mutating func made(_ expression: ExpressionFormat, isLiteral: Bool = false) throws(PredicateFormatError) -> Part {
        let depth = try nextDepth()
        // Code that follows a path may use some of the stack for each key.
        if case .path(_, let keys) = expression, keys.count > Self.maximumDepth {
            throw tooDeep(at: start, "a path of at most \(Self.maximumDepth) keys")
        }
        return Part(node: .expression(expression), depth: depth, start: start, isLiteral: isLiteral)
    }

    private mutating func nextDepth() throws(PredicateFormatError) -> Int {
        guard depth < Self.maximumDepth else { throw tooDeep(at: token.start) }
        defer { depth = 0 }
        return depth + 1
    }

    /// Parses a part inside a notation other than parentheses.
    ///
    /// Such a part uses more of the stack than parentheses do, and counts as two levels.
    mutating func inner(_ minimum: Precedence) throws(PredicateFormatError) -> Part {
        nesting += 1
        defer { nesting -= 1 }
        return try part(minimum)
    }

    /// Parses a value inside a notation other than parentheses.
    mutating func member() throws(PredicateFormatError) -> ExpressionFormat { try expression(inner(.set)) }

    /// Parses a condition inside a notation other than parentheses.
    mutating func memberCondition() throws(PredicateFormatError) -> PredicateFormat {
        try predicate(inner(.or))
    }

    /// Parses the next part, which must be a condition.
    mutating func condition(_ minimum: Precedence) throws(PredicateFormatError) -> PredicateFormat {
        try predicate(part(minimum))
    }

    /// Parses the next part, which must be a value.
    mutating func value(_ minimum: Precedence) throws(PredicateFormatError) -> ExpressionFormat {
        try expression(part(minimum))
    }

    /// Returns the part as a condition inside the current part, or throws an error.
    private mutating func predicate(_ part: Part) throws(PredicateFormatError) -> PredicateFormat {
        guard case .predicate(let predicate) = part.node else { throw error("a comparison, such as ==, of this value") }
        depth = max(depth, part.depth)
        return predicate
    }

    /// Returns the part as a value inside the current part, or throws an error.
    mutating func expression(_ part: Part) throws(PredicateFormatError) -> ExpressionFormat {
        guard case .expression(let expression) = part.node else {
            throw lexer.error(at: part.start, "a value", found: "a condition")
        }
        depth = max(depth, part.depth)
        return expression
    }

    func error(_ expected: String) -> PredicateFormatError { lexer.error(at: token.start, expected) }

    private func tooDeep(
        at offset: Int, _ expected: String = "a condition of at most \(maximumDepth) levels"
    ) -> PredicateFormatError {
        lexer.error(at: offset, expected, found: nil)
    }
}
