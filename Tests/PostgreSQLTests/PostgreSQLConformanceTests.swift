import CofferConformance
import TestSupport
import Testing

@Suite(.enabled(if: Postgres.url != nil, "\(Postgres.advice)"))
struct PostgreSQLConformanceTests {
    @Test(arguments: ConformanceCase.all)
    func conformance(_ it: ConformanceCase) async throws {
        try await it.run(on: PostgreSQLConformanceFixture.self)
    }
}
