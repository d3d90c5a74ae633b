import CofferConformance
import Testing

struct InMemoryConformanceTests {
    @Test(arguments: ConformanceCase.all)
    func conformance(_ it: ConformanceCase) async throws {
        try await it.run(on: InMemoryFixture.self)
    }
}
