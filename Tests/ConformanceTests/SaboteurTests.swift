import CofferStorage
import Testing

@testable import CofferConformance

/// Tests of the suite with stores that each have one defect.
struct SaboteurTests {
    @Test(arguments: Saboteur.all)
    func `each sabotaged store fails the case for its defect`(_ saboteur: Saboteur) async throws {
        let one = try #require(ConformanceCase.everything.first { $0.id == saboteur.id })
        let failure = await one.attempt { SabotagedFixture(saboteur) }
        #expect(failure?.id == saboteur.id)
    }

    @Test(arguments: ConformanceCase.everything)
    func `every case passes on the same store without a saboteur`(_ it: ConformanceCase) async throws {
        try await it.run(on: SabotagedFixture.self)
    }

    @Test(arguments: ConformanceCase.everything)
    func `a store that does not persist its data passes every case`(_ it: ConformanceCase) async throws {
        try await it.run(on: ForgetfulFixture.self)
    }
}
