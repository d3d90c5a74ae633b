import CofferClauses
import Foundation
import Testing

/// Throws damaged format strings at the parser; `scripts/fuzz parser` does it for longer.
struct FormatFuzzTests {
    @Test func `damaged format strings are parsed or refused, and what is parsed survives printing`() throws {
        let environment = ProcessInfo.processInfo.environment
        let rounds = environment["COFFER_FUZZ"].flatMap { Int($0) } ?? 5_000
        let seed = environment["COFFER_SEED"].flatMap { UInt64($0) } ?? 1
        print("FormatFuzzTests: COFFER_SEED=\(seed) COFFER_FUZZ=\(rounds)")
        var mutator = FormatMutator(seed: seed)
        var parsed = 0
        for round in 0..<rounds {
            let format = mutator.next()
            guard let condition = try? PredicateFormat(format, argumentArray: mutator.arguments) else { continue }
            parsed += 1
            let note = Comment(rawValue: "round \(round), COFFER_SEED=\(seed): \(format)")
            let printed = condition.description
            let again = try? PredicateFormat(printed)
            #expect(again == condition, note)
            _ = try? condition.evaluate(with: FormatMutator.object)
            _ = Where<Dog>(format: condition)
        }
        #expect(parsed > rounds / 50)
    }

    @Test(arguments: [
        "a == 1 AND ", "a + ", "((", "{1,", "'x\\n", "$x.", "a.b.", "NOT ", "SUBQUERY(a,$x,", "%K == %@ OR ", "[",
        "#a ", "1e5 ",
        "\u{e9}", "'%%", "a[0]", "LIKE[cd] ", "\\u00e9", "==",
    ])
    func `the time to parse grows with the length, not with its square`(_ unit: String) {
        func time(_ count: Int) -> Duration {
            let format = String(repeating: unit, count: count)
            let arguments = Array(repeating: "a" as Any, count: 2 * count)
            return ContinuousClock().measure { _ = try? PredicateFormat(format, argumentArray: arguments) }
        }
        _ = time(100)
        let (short, long) = (time(2_000), time(32_000))
        // Sixteen times the length; its square would be 256 times the work. Ten milliseconds for what disturbs.
        #expect(long < short * 96 + .milliseconds(10), "\(short) and \(long)")
    }
}
