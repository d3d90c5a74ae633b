import CofferConformance
import Testing

struct JSONFileConformanceTests {
    @Test(arguments: ConformanceCase.all)
    func conformance(_ it: ConformanceCase) async throws {
        try await it.run(on: JSONFileFixture.self)
    }
}
