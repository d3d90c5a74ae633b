import Foundation
import NIOFoundationCompat

/// The figures of a server under load.
struct Measurement: Sendable {
    /// Requests for each second.
    let rate: Double
    /// The processor time of the server for each request, in microseconds.
    let processorMicroseconds: Double
    /// The time until an answer, in milliseconds: of half of the requests, and of 99 %.
    let median, percentile99: Double
    /// The number of events that each follower has received for each added dog; nil without followers.
    var events: Double?

    /// Computes the figures from the times of the requests.
    init(_ times: [Duration], _ duration: Duration, processorSeconds: Double) {
        let count = Double(times.count)
        let sorted = times.sorted()
        rate = count / (duration / .seconds(1))
        processorMicroseconds = processorSeconds / count * 1e6
        median = sorted[sorted.count / 2] / .milliseconds(1)
        percentile99 = sorted[sorted.count * 99 / 100] / .milliseconds(1)
    }

    /// Measures the usage of a server while the closure runs; the closure returns the times of its requests.
    static func during(
        _ server: ServerProcess, _ body: () async throws -> [Duration]
    ) async throws -> Measurement {
        let connection = try await LoadConnection(port: server.port)
        let before = try await connection.usage()
        let clock = ContinuousClock()
        let start = clock.now
        let times = try await body()
        let duration = clock.now - start
        let after = try await connection.usage()
        try await connection.close()
        return Measurement(times, duration, processorSeconds: after.processorSeconds - before.processorSeconds)
    }
}

extension LoadConnection {
    fileprivate func usage() async throws -> Usage {
        try await JSONDecoder().decode(Usage.self, from: send(.usage))
    }
}
