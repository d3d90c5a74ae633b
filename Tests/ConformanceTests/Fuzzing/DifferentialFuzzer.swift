import Foundation

@testable import CofferConformance

/// A fuzzer that makes random requests to several stores and continues after a disagreement.
struct DifferentialFuzzer {
    /// The end of a run.
    enum Limit {
        /// The number of requests to each store.
        case count(Int)
        case seconds(Double)
    }

    struct Report {
        /// The number of requests to each store.
        var requests = 0
        var seconds = 0.0
        var failures: [String] = []
    }

    let fixtures: [(name: String, fixture: any StorageFixture.Type)]
    let seed: UInt64
    let limit: Limit
    /// The number of disagreements after which the run ends.
    var failureLimit = 10
    /// The time limit of the search for a smaller example of a disagreement.
    var shrinkingSeconds = 20.0

    /// - Parameter progress: a closure that is called after every model.
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
