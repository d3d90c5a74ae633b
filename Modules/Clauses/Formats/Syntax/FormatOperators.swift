import CofferStorage
import CofferStorageTools

/// Maps the operators of format strings to relations and functions of requests.
extension PredicateFormat.Comparison.Operator {
    /// The relation of the operator in a request; nil if requests have no such relation.
    var relation: QueryComparison.Relation? {
        switch self {
        case .equal: .equal
        case .notEqual: .notEqual
        case .less: .less
        case .lessOrEqual: .lessOrEqual
        case .greater: .greater
        case .greaterOrEqual: .greaterOrEqual
        case .isIn: .isIn
        case .contains: .contains
        case .beginsWith: .beginsWith
        case .endsWith: .endsWith
        case .like: .like
        case .matches: .matches
        case .between: .between
        case .conformsToType, .equalsType, .selector: nil
        }
    }

    /// Whether options such as `[c]` may follow the operator.
    var takesOptions: Bool { relation != nil && self != .between }

    /// The notation of the operator.
    var symbol: String {
        switch self {
        case .conformsToType: "UTI-CONFORMS-TO"
        case .equalsType: "UTI-EQUALS"
        case .selector(let name): name
        default: relation?.symbol ?? ""
        }
    }
}

extension ExpressionFormat.UnaryOperator {
    /// The function that computes the operator.
    var function: ValueFunction {
        switch self {
        case .negate: .negate
        case .complement: .complement
        }
    }
}

extension ExpressionFormat.BinaryOperator {
    /// The function of single values; nil for functions of collections.
    var function: ValueFunction? {
        switch self {
        case .union, .intersect, .minus: nil
        case .bitwiseOr: .bitwiseOr
        case .bitwiseXor: .bitwiseXor
        case .bitwiseAnd: .bitwiseAnd
        case .shiftLeft: .shiftLeft
        case .shiftRight: .shiftRight
        case .add: .add
        case .subtract: .subtract
        case .multiply: .multiply
        case .divide: .divide
        case .power: .power
        }
    }
}
