import CofferEvaluation
import CofferStorage
import Foundation
import Testing

struct ValueFunctionTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let function: ValueFunction
        let arguments: [Value]
        let result: Value

        init(_ function: ValueFunction, _ arguments: Value..., gives result: Value) {
            self.function = function
            self.arguments = arguments
            self.result = result
        }

        var testDescription: String { "\(function)(\(arguments))" }
    }

    private static func decimal(_ text: String) -> Value { .decimal(Decimal(string: text) ?? .nan) }

    @Test(arguments: [
        Example(.add, .integer(2), .integer(3), gives: .integer(5)),
        Example(.add, .integer(.max), .integer(1), gives: .double(9_223_372_036_854_775_808)),
        Example(.subtract, .boolean(true), .integer(3), gives: .integer(-2)),
        Example(.multiply, .integer(.min), .integer(-1), gives: .double(9_223_372_036_854_775_808)),
        Example(.divide, .integer(-7), .integer(2), gives: .integer(-3)),
        Example(.divide, .integer(.min), .integer(-1), gives: .double(9_223_372_036_854_775_808)),
        Example(.divide, .integer(1), .integer(0), gives: .null),
        Example(.divide, .double(1), .double(0), gives: .null),
        Example(.divide, .integer(7), .double(2), gives: .double(3.5)),
        Example(.divide, decimal("1"), .integer(8), gives: decimal("0.125")),
        Example(.add, decimal("0.1"), decimal("0.2"), gives: decimal("0.3")),
        Example(.modulus, .integer(-7), .integer(3), gives: .integer(-1)),
        Example(.modulus, .integer(.min), .integer(-1), gives: .integer(0)),
        Example(.modulus, decimal("-7.5"), .integer(2), gives: decimal("-1.5")),
        Example(.modulus, .double(7.5), .integer(2), gives: .double(1.5)),
        Example(.power, .integer(3), .integer(4), gives: .integer(81)),
        Example(.power, .integer(2), .integer(64), gives: .double(18_446_744_073_709_551_616)),
        Example(.power, .integer(2), .integer(-1), gives: .double(0.5)),
        Example(.power, .integer(1), .integer(.max), gives: .integer(1)),
        Example(.negate, .integer(.min), gives: .double(9_223_372_036_854_775_808)),
        Example(.absolute, decimal("-1.5"), gives: decimal("1.5")),
        Example(.floor, decimal("-1.5"), gives: decimal("-2")),
        Example(.truncate, decimal("-1.5"), gives: decimal("-1")), Example(.ceiling, .double(1.2), gives: .double(2)),
        Example(.squareRoot, .integer(-1), gives: .null), Example(.commonLogarithm, .integer(100), gives: .double(2)),
        Example(.shiftLeft, .integer(1), .integer(64), gives: .integer(0)),
        Example(.shiftRight, .integer(-1), .integer(70), gives: .integer(-1)),
        Example(.complement, .integer(0), gives: .integer(-1)),
        Example(.bitwiseXor, .integer(6), .integer(3), gives: .integer(5)),
        Example(.bitwiseAnd, .double(1), .integer(1), gives: .null), Example(.add, .null, .integer(1), gives: .null),
        Example(.add, .text("1"), .integer(1), gives: .null), Example(.length, .text("😀é"), gives: .integer(3)),
        Example(.canonical, .text("ÀẞΣ"), gives: .text("aßσ")), Example(.uppercase, .integer(1), gives: .null),
        Example(.add, .double(.infinity), .double(-.infinity), gives: .null),
    ])
    func `each function returns the expected value`(_ example: Example) {
        #expect(example.function.result(example.arguments) == example.result)
    }
}
