import Foundation
import TestSupport

/// Many short runs, each on a new store; a failing run is repeated with fewer steps.
struct Campaign {
    private let backend: TestBackend
    private let seed: UInt64
    private let length: Int
    private(set) var count = 0
    private(set) var episodes = 0

    /// How long a failing run is repeated with fewer steps, in seconds.
    private let patience: Double

    /// Reads the options of the campaign from the environment.
    ///
    /// `COFFER_LENGTH` is the number of steps of a run. `COFFER_PATIENCE` is the number of seconds for shortening a
    /// failing run.
    init(_ backend: TestBackend, seed: UInt64) {
        (self.backend, self.seed) = (backend, seed)
        let environment = ProcessInfo.processInfo.environment
        length = environment["COFFER_LENGTH"].flatMap(Int.init) ?? (backend == .postgresql ? 600 : 150)
        patience = environment["COFFER_PATIENCE"].flatMap(Double.init) ?? 20
    }

    /// Starts runs until they have made the specified number of steps.
    ///
    /// - Returns: the report of the first mismatch.
    mutating func run(_ steps: Int) throws -> String? {
        while count < steps {
            let seed = seed &+ UInt64(episodes)
            episodes += 1
            let (failure, done) = try run(seed, Array(0..<length))
            count += done
            if let failure { return try shrunk(failure, seed) }
        }
        return nil
    }

    private struct Failure {
        let steps: [Int]
        let text: String
        let trail: [String]
    }

    private func run(_ seed: UInt64, _ steps: [Int]) throws -> (failure: Failure?, count: Int) {
        var outcome: (failure: Failure?, count: Int) = (nil, 0)
        let said = try RecordingLogger.record("Depot") { outcome = try quietly(seed, steps) }
        // Logged messages are ignored, except assertions about wrong uses of the library.
        if outcome.failure == nil, let assertion = said.assertions.first {
            outcome.failure = Failure(steps: steps, text: assertion, trail: [])
        }
        return outcome
    }

    private func quietly(_ seed: UInt64, _ steps: [Int]) throws -> (failure: Failure?, count: Int) {
        let run = try ObjectRun(backend, seed: seed)
        for (index, step) in steps.enumerated() {
            do {
                try run.step(step)
            } catch {
                let done = Array(steps.prefix(index + 1))
                try? run.end()
                return (Failure(steps: done, text: "\(error)", trail: run.trail), run.count)
            }
        }
        do {
            try run.end()
        } catch {
            return (Failure(steps: steps, text: "\(error)", trail: run.trail), run.count)
        }
        return (nil, run.count)
    }

    /// Removes steps without which the run still fails.
    private func shrunk(_ first: Failure, _ seed: UInt64) throws -> String {
        var failure = first
        let end = Date(timeIntervalSinceNow: patience)
        var size = failure.steps.count / 2
        while size > 0 {
            var start = 0
            while start < failure.steps.count, Date() < end {
                var fewer = failure.steps
                fewer.removeSubrange(start..<min(start + size, fewer.count))
                if let found = try run(seed, fewer).failure { failure = found } else { start += size }
            }
            size /= 2
        }
        return """
            COFFER_SEED=\(seed) fails at step \(first.steps.last ?? 0): \(first.text)
            With the steps \(failure.steps) alone: \(failure.text)
            \(failure.trail.suffix(90).joined(separator: "\n"))
            """
    }
}
