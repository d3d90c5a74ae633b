import CofferConformance
import Testing

struct SQLiteConformanceTests {
    @Test(arguments: ConformanceCase.all)
    func conformance(_ it: ConformanceCase) async throws {
        try await it.run(on: SQLiteConformanceFixture.self)
    }
}
