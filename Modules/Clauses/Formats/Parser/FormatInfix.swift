/// An infix operator of format strings, with its precedence.
enum FormatInfix: Equatable {
    case or, and
    case comparison(PredicateFormat.Comparison.Operator)
    case binary(ExpressionFormat.BinaryOperator)

    var precedence: FormatParser.Precedence {
        switch self {
        case .or: .or
        case .and: .and
        case .comparison: .comparison
        case .binary(let symbol): symbol.precedence
        }
    }

    fileprivate static let keywords: [FormatKeyword: FormatInfix] = [
        .and: .and, .or: .or, .isIn: .comparison(.isIn), .contains: .comparison(.contains), .like: .comparison(.like),
        .beginsWith: .comparison(.beginsWith), .endsWith: .comparison(.endsWith), .matches: .comparison(.matches),
        .between: .comparison(.between), .conformsToType: .comparison(.conformsToType),
        .equalsType: .comparison(.equalsType),
    ]

    fileprivate static let signs: [FormatSign: FormatInfix] = [
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

extension FormatToken.Kind {
    /// The operator of the token; nil for any other token.
    var infix: FormatInfix? {
        switch self {
        case .keyword(let keyword): FormatInfix.keywords[keyword]
        case .selector(let name): .comparison(.selector(name))
        // These words are operators only between two values.
        case .key(let word) where word.utf8.count >= 5:
            ExpressionFormat.BinaryOperator(rawValue: word.uppercased()).map { .binary($0) }
        case .sign(let sign): FormatInfix.signs[sign]
        default: nil
        }
    }
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
