import CofferClauses
import Foundation
import Testing

/// Damaged format strings.
///
/// `scripts/fuzz parser` runs this test with more of them.
struct FormatFuzzTests {
    @Test func `damaged format strings are refused, or parsed and printed to an equal condition`() throws {
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
    func `the time of parsing grows linearly with the length of the format string`(_ unit: String) {
        // The processor time of this thread, which excludes all other work of the machine.
        func work(_ count: Int) -> Duration {
            let format = String(repeating: unit, count: count)
            let arguments = Array(repeating: "a" as Any, count: 2 * count)
            let start = threadTime()
            _ = try? PredicateFormat(format, argumentArray: arguments)
            return threadTime() - start
        }
        _ = work(100)
        var (short, long) = (Duration.zero, Duration.zero)
        for _ in 0..<5 {
            (short, long) = (work(2_000), work(32_000))
            // The length is 16 times as large. The work would be 256 times as large if it grew with the square of the
            // length.
            if long < short * 96 + .milliseconds(10) { return }
        }
        Issue.record("\(short) and \(long)")
    }

    private func threadTime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
