import CofferStorage
import Testing

@testable import CofferConformance

/// The suite, tested on stores that each have one defect.
struct SaboteurTests {
    @Test(arguments: Saboteur.all)
    func `a defect is caught by the case that should`(_ saboteur: Saboteur) async throws {
        let one = try #require(ConformanceCase.everything.first { $0.id == saboteur.id })
        let failure = await one.attempt { SabotagedFixture(saboteur) }
        #expect(failure?.id == saboteur.id)
    }

    @Test(arguments: ConformanceCase.everything)
    func `without a saboteur the same store passes`(_ it: ConformanceCase) async throws {
        try await it.run(on: SabotagedFixture.self)
    }

    @Test(arguments: ConformanceCase.everything)
    func `a store that forgets passes as such`(_ it: ConformanceCase) async throws {
        try await it.run(on: ForgetfulFixture.self)
    }
}
