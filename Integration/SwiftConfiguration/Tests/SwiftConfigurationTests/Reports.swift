import Configuration
import Synchronization

/// What a reader reports, as text.
final class Reports: AccessReporter {
    private let events = Mutex<[String]>([])

    func report(_ event: AccessEvent) {
        // With all that a reporter is handed, not only what its description shows.
        let found = event.providerResults.compactMap { try? $0.result.get().value }.map { "\($0)" }
        events.withLock { $0.append(([event.description] + found).joined(separator: "\n")) }
    }

    var text: String { events.withLock { $0.joined(separator: "\n") } }
}
