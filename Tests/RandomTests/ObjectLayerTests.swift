import Coffer
import Foundation
import TestSupport
import Testing

/// Random changes of objects in every possible way.
///
/// Stores, live objects, monitors and publishers must show the values of a model with plain values.
struct ObjectLayerTests {
    /// The seed of the suite, which always makes the same steps; `scripts/fuzz objects` makes other steps each time.
    private static let seed: UInt64 = 82
    private static let environment = ProcessInfo.processInfo.environment

    @Test(.pins("TX-30", "TX-46", "FLD-44", "OBS-22", "OBS-51"), arguments: TestBackend.allCases)
    func `random steps have the same results as in a simple model`(
        _ backend: TestBackend
    ) throws {
        let seed = Self.environment["COFFER_SEED"].flatMap(UInt64.init) ?? Self.seed
        let steps = Self.environment["COFFER_STEPS"].flatMap(Int.init) ?? (backend == .postgresql ? 1_000 : 3_000)
        let chosen = Self.environment["COFFER_BACKEND"].flatMap { $0.isEmpty ? nil : $0 }
        guard chosen == nil || chosen == backend.rawValue else { return }
        print("ObjectLayerTests on \(backend): COFFER_SEED=\(seed), \(steps) steps")
        var campaign = Campaign(backend, seed: seed)
        if let failure = try campaign.run(steps) { Issue.record("\(failure)") }
        print("ObjectLayerTests on \(backend): \(campaign.count) steps in \(campaign.episodes) episodes")
    }
}
