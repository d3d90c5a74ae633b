import Configuration
import Synchronization

/// The reports of a reader, as a string.
final class Reports: AccessReporter {
    private let events = Mutex<[String]>([])

    func report(_ event: AccessEvent) {
        // The text contains all values that a reporter receives, and not only the description of the event.
        let found = event.providerResults.compactMap { try? $0.result.get().value }.map { "\($0)" }
        events.withLock { $0.append(([event.description] + found).joined(separator: "\n")) }
    }

    var text: String { events.withLock { $0.joined(separator: "\n") } }
}
