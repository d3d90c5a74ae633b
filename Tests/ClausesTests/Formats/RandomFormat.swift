import CofferClauses
import CofferStorage
import CofferStorageTools
import Foundation
import TestSupport

/// A generator of conditions with every case, and with unusual constants and keys.
struct RandomFormat {
    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

    private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

    mutating func condition(depth: Int) -> PredicateFormat {
        switch depth > 0 ? below(6) : 5 {
        case 0: .and(conditions(depth))
        case 1: .or(conditions(depth))
        case 2: .not(condition(depth: depth - 1))
        case 3: .constant(random.chance(50))
        default: .comparison(comparison(depth))
        }
    }

    private mutating func conditions(_ depth: Int) -> [PredicateFormat] {
        (0..<(2 + below(3))).map { _ in condition(depth: depth - 1) }
    }

    private mutating func comparison(_ depth: Int) -> PredicateFormat.Comparison {
        let plain: [PredicateFormat.Comparison.Operator] = [
            .between, .conformsToType, .equalsType, .selector("is:not:"),
        ]
        let texts: [PredicateFormat.Comparison.Operator] = [
            .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .isIn, .contains, .beginsWith, .endsWith,
            .like, .matches,
        ]
        let quantifier = pick([.one, .one, .one, .any, .all, .none] as [QueryComparison.Quantifier])
        let isPlain = random.chance(20)
        let options = isPlain || random.chance(60) ? [] : TextOptions(rawValue: UInt8(below(32)))
        return PredicateFormat.Comparison(
            expression(depth), pick(isPlain ? plain : texts), expression(depth), options: options,
            quantifier: quantifier
        )
    }

    private mutating func expression(_ depth: Int) -> ExpressionFormat {
        guard depth > 0 else { return random.chance(50) ? .constant(constant()) : leaf() }
        let depth = depth - 1
        switch below(17) {
        case 0: return .assignment(name(), expression(depth))
        case 1: return .path(expression(depth), keys())
        case 2: return .index(expression(depth), index(depth))
        case 3: return .collection(expressions(depth))
        case 4: return .dictionary(Dictionary([(text(), expression(depth)), (text(), expression(depth))]) { $1 })
        case 5: return .unary(pick(ExpressionFormat.UnaryOperator.allCases), expression(depth))
        case 6, 7, 8:
            return .binary(pick(ExpressionFormat.BinaryOperator.allCases), expression(depth), expression(depth))
        case 9: return .function("modulus:by:", [expression(depth), expression(depth)])
        case 10: return .function(pick(["sum:", "max:", "FORMATSTRING"]), expressions(depth))
        case 11: return .call(expression(depth), "pow:", expressions(depth))
        case 12: return .subquery(expression(depth), variable: name(), condition(depth: depth))
        case 13: return .conditional(condition(depth: depth), expression(depth), expression(depth))
        case 14:
            return .cast(expression(depth), pick(["NSDate", "NSNumber", "NSDecimalNumber", "NSDictionary", "NSData"]))
        case 15: return .fetch(expression(depth), expression(depth), expression(depth))
        default: return leaf()
        }
    }

    private mutating func expressions(_ depth: Int) -> [ExpressionFormat] {
        (0..<below(4)).map { _ in expression(depth) }
    }

    private mutating func leaf() -> ExpressionFormat {
        switch below(4) {
        case 0: .evaluatedObject
        case 1: .variable(name())
        default: .path(.evaluatedObject, keys())
        }
    }

    private mutating func index(_ depth: Int) -> ExpressionFormat.Index {
        switch below(4) {
        case 0: .first
        case 1: .last
        case 2: .size
        default: .at(expression(depth))
        }
    }

    private mutating func keys() -> [String] {
        let awkward = [
            "size", "SELF", "union", "and", "@count", "größe", "two words", "a\"b", "@ 1", "#x", "1", "%K", "%%",
        ]
        return (0..<(1 + below(3))).map { _ in random.chance(50) ? name() : pick(awkward) }
    }

    private mutating func name() -> String { pick(["a", "_b2", "Name", "pets", "x", "function"]) }

    private mutating func constant() -> Value {
        switch below(9) {
        case 0: .null
        case 1: .boolean(random.chance(50))
        case 2: .integer(pick([0, 1, -1, .min, .max, 42, -7]))
        case 3: .double(pick([0.5, -0.5, 1e300, 5e-300, 1e20, 3, .infinity, -.infinity, 0.1]))
        case 4: .decimal(decimal())
        case 5: .blob(Data((0..<below(5)).map { UInt8($0) }))
        case 6:
            .date(
                pick([
                    0, 1, -1, 0.25, 700_000_000.123_456_7, 700_000_000.123_456_7.nextUp, 9_007_199_254_740_994,
                    63_113_904_000, 1e300, -5e-300, .infinity, -.infinity,
                ]))
        case 7: .object(pick([ClausesModel.annID, ClausesModel.id("Größe mit Raum", -3)]))
        default: .text(text())
        }
    }

    private mutating func decimal() -> Decimal {
        let digits = ["1.10", "-0.00000000000000000000000000000000000001", "18446744073709551616", "3"]
        return Decimal(string: pick(digits)) ?? 0
    }

    private mutating func text() -> String {
        let parts = [
            "a", "'", "\"", "\\", "%", "%%", "\n", "\r\n", "\u{0}", "\u{1f}", "é", "e\u{301}", "😀", "$x", "%@", "",
        ]
        return (0..<below(6)).map { _ in pick(parts) }.joined()
    }
}
