import Foundation

@testable import CofferConformance

/// Makes random requests of several stores for as long as is wanted, and goes on after a disagreement.
struct DifferentialFuzzer {
    /// When to stop.
    enum Limit {
        /// Requests of each store.
        case count(Int)
        case seconds(Double)
    }

    struct Report {
        /// How many requests were made of each store.
        var requests = 0
        var seconds = 0.0
        var failures: [String] = []
    }

    let fixtures: [(name: String, fixture: any StorageFixture.Type)]
    let seed: UInt64
    let limit: Limit
    /// After so many disagreements there is enough to do.
    var failureLimit = 10
    /// How long to look for a smaller example of a disagreement, at most.
    var shrinkingSeconds = 20.0

    /// - Parameter progress: called after every model.
    func run(progress: (Report) -> Void) -> Report {
        let start = Date()
        var report = Report()
        var round: UInt64 = 0
        while !isOver(report), report.failures.count < failureLimit {
            for (name, fixture) in fixtures {
                if let failure = failure(of: fixture, seed: seed &+ round) {
                    report.failures.append("\(name)\n\(failure)")
                }
            }
            round += 1
            report.requests += DifferentialTest.requestsPerRound
            report.seconds = Date().timeIntervalSince(start)
            progress(report)
        }
        return report
    }

    private func isOver(_ report: Report) -> Bool {
        switch limit {
        case .count(let count): report.requests >= count
        case .seconds(let seconds): report.seconds >= seconds
        }
    }

    private func failure(of fixture: any StorageFixture.Type, seed: UInt64) -> String? {
        do {
            let place = try fixture.init()
            let context = TestContext(place)
            defer {
                context.closeAll()
                place.destroy()
            }
            try DifferentialTest.run(context, .computing, seed: seed) { oracle, request in
                DifferentialExample(oracle, request).explanation(on: fixture, seconds: shrinkingSeconds)
            }
            return nil
        } catch let mismatch as Mismatch {
            return mismatch.message
        } catch {
            return "  threw: \(error)"
        }
    }
}
