import Testing

@testable import CofferConformance

struct ConformanceCaseTests {
    private let failing = ConformanceCase("fetching/limit", "A rule.") { _ in try expectEqual(2, 3, "the number") }
    private let passing = ConformanceCase("fetching/limit", "A rule.") { _ in }

    @Test func `a failure names the case, its rule, and the expected and the actual value`() async throws {
        let failure = await #expect(throws: ConformanceFailure.self) {
            try await failing.run(on: ForgetfulFixture.self)
        }
        #expect(failure?.description == "fetching/limit: A rule.\n  the number\n  expected: 3\n  found:    2")
    }

    @Test func `a known gap can fail`() async throws {
        try await failing.run(on: ForgetfulFixture.self, exceptions: ["fetching/limit": "no limits yet (#1)"])
    }

    @Test func `a known gap that passes is a failure`() async throws {
        let failure = await #expect(throws: ConformanceFailure.self) {
            try await passing.run(on: ForgetfulFixture.self, exceptions: ["fetching/limit": "no limits yet (#1)"])
        }
        #expect(
            failure?.message
                == "The case passes now, but is listed as an exception ('no limits yet (#1)'). Remove the exception.")
    }

    @Test func `a known gap without a matching case is a failure`() async throws {
        let failure = await #expect(throws: ConformanceFailure.self) {
            try await passing.run(on: ForgetfulFixture.self, exceptions: ["fetching/limits": "a slip"])
        }
        #expect(failure?.message == "The exceptions name 'fetching/limits', which is not a case. Remove it.")
    }
}
