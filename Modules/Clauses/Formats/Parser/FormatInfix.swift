/// An infix operator of format strings, with its precedence.
enum FormatInfix: Equatable {
    case or, and
    case comparison(PredicateFormat.Comparison.Operator)
    case binary(ExpressionFormat.BinaryOperator)

    /// The operator of a token; nil for any other token.
    init?(_ token: FormatToken.Kind) {
        switch token {
        case .keyword(let keyword):
            guard let infix = Self.keywords[keyword] else { return nil }
            self = infix
        case .selector(let name): self = .comparison(.selector(name))
        case .key(let word):
            // Words that mean something only between two values.
            guard word.utf8.count >= 5, let set = ExpressionFormat.BinaryOperator(rawValue: word.uppercased())
            else { return nil }
            self = .binary(set)
        case .sign(let sign):
            guard let infix = Self.signs[sign] else { return nil }
            self = infix
        default: return nil
        }
    }

    var precedence: FormatParser.Precedence {
        switch self {
        case .or: .or
        case .and: .and
        case .comparison: .comparison
        case .binary(let symbol): symbol.precedence
        }
    }

    private static let keywords: [FormatKeyword: FormatInfix] = [
        .and: .and, .or: .or, .isIn: .comparison(.isIn), .contains: .comparison(.contains), .like: .comparison(.like),
        .beginsWith: .comparison(.beginsWith), .endsWith: .comparison(.endsWith), .matches: .comparison(.matches),
        .between: .comparison(.between), .conformsToType: .comparison(.conformsToType),
        .equalsType: .comparison(.equalsType),
    ]

    private static let signs: [FormatSign: FormatInfix] = [
        .and: .and, .or: .or,
        .equal: .comparison(.equal), .equalToo: .comparison(.equal), .notEqual: .comparison(.notEqual),
        .notEqualToo: .comparison(.notEqual), .less: .comparison(.less), .greater: .comparison(.greater),
        .lessOrEqual: .comparison(.lessOrEqual), .lessOrEqualToo: .comparison(.lessOrEqual),
        .greaterOrEqual: .comparison(.greaterOrEqual), .greaterOrEqualToo: .comparison(.greaterOrEqual),
        .bitwiseOr: .binary(.bitwiseOr), .bitwiseXor: .binary(.bitwiseXor), .bitwiseAnd: .binary(.bitwiseAnd),
        .shiftLeft: .binary(.shiftLeft), .shiftRight: .binary(.shiftRight), .plus: .binary(.add),
        .minus: .binary(.subtract), .times: .binary(.multiply), .over: .binary(.divide), .power: .binary(.power),
    ]
}

extension ExpressionFormat.BinaryOperator {
    /// The precedence of the operator.
    var precedence: FormatParser.Precedence {
        switch self {
        case .union, .intersect, .minus: .set
        case .bitwiseOr: .bitwiseOr
        case .bitwiseXor: .bitwiseXor
        case .bitwiseAnd: .bitwiseAnd
        case .shiftLeft, .shiftRight: .shift
        case .add, .subtract: .sum
        case .multiply, .divide: .product
        case .power: .power
        }
    }
}
