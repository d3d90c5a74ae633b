public import Coffer
import CofferStorage

/// Records the library's messages about one subject while a test runs, and passes other messages to the default logger.
///
/// The logger is global, and tests run at the same time. A recording therefore only takes the messages that contain
/// its marker, typically the name of an entity that no other test uses. Several recordings can be active. The logger
/// is installed with the first one, and the former logger is restored after the last one.
///
/// ```swift
/// let entries = try RecordingLogger.record("Heron") { try stack.fetchAll(From<Heron>()) }
/// #expect(entries == [.assertion("…")])
/// ```
public final class RecordingLogger: CoreStoreLogger, Sendable {
    /// One logged message.
    public enum Entry: Equatable, Sendable {
        case message(LogLevel, String)
        case error(CoreStoreErrorCode?, String)
        /// A failed assertion.
        case assertion(String)
    }

    /// The messages that a recording has taken.
    public final class Recording: Sendable {
        let marker: String
        private let taken = Locked<[Entry]>([])

        init(marker: String) {
            self.marker = marker
        }

        public var entries: [Entry] { taken.withLock { $0 } }

        /// The texts of the failed assertions.
        public var assertions: [String] {
            entries.compactMap { if case .assertion(let message) = $0 { message } else { nil } }
        }

        /// The texts of the messages of a level.
        public func messages(_ level: LogLevel) -> [String] {
            entries.compactMap {
                if case .message(let itsLevel, let message) = $0, itsLevel == level { message } else { nil }
            }
        }

        /// The texts of the errors.
        public var errors: [String] {
            entries.compactMap { if case .error(_, let message) = $0 { message } else { nil } }
        }

        func take(_ entry: Entry) { taken.withLock { $0.append(entry) } }
    }

    private struct Active {
        var recordings: [Recording] = []
        var former: (any CoreStoreLogger)?
    }

    private static let active = Locked(Active())
    private static let shared = RecordingLogger()
    private let fallback = DefaultLogger()

    private init() {}

    /// Runs the closure, and returns the messages with the marker that any thread logged during the closure.
    @discardableResult
    public static func record(_ marker: String, during body: () throws -> Void) rethrows -> Recording {
        let recording = begin(marker)
        defer { end(recording) }
        try body()
        return recording
    }

    /// Runs the closure, and returns the messages with the marker that any thread logged during the closure.
    @discardableResult
    public static func record(
        _ marker: String, isolation: isolated (any Actor)? = #isolation, during body: () async throws -> Void
    ) async rethrows -> Recording {
        let recording = begin(marker)
        defer { end(recording) }
        try await body()
        return recording
    }

    private static func begin(_ marker: String) -> Recording {
        let recording = Recording(marker: marker)
        active.withLock { active in
            if active.recordings.isEmpty {
                active.former = CoreStoreDefaults.logger
                CoreStoreDefaults.logger = shared
            }
            active.recordings.append(recording)
        }
        return recording
    }

    private static func end(_ recording: Recording) {
        active.withLock { active in
            active.recordings.removeAll { $0 === recording }
            if active.recordings.isEmpty, let former = active.former {
                CoreStoreDefaults.logger = former
                active.former = nil
            }
        }
    }

    /// Adds the entry to all recordings whose marker is in the text; returns false if there is no such recording.
    private func take(_ entry: Entry, _ text: String) -> Bool {
        let recordings = Self.active.withLock { active in active.recordings.filter { text.contains($0.marker) } }
        for recording in recordings { recording.take(entry) }
        return !recordings.isEmpty
    }

    public func log(
        level: LogLevel, message: String, fileName: StaticString, lineNumber: Int, functionName: StaticString
    ) {
        guard !take(.message(level, message), message) else { return }
        fallback.log(
            level: level, message: message, fileName: fileName, lineNumber: lineNumber, functionName: functionName
        )
    }

    public func log(
        error: CoreStoreError, message: String, fileName: StaticString, lineNumber: Int, functionName: StaticString
    ) {
        let entry = Entry.error(CoreStoreErrorCode(rawValue: error.errorCode), message)
        guard !take(entry, "\(message) \(error)") else { return }
        fallback.log(
            error: error, message: message, fileName: fileName, lineNumber: lineNumber, functionName: functionName
        )
    }

    public func assert(
        _ condition: @autoclosure () -> Bool, message: @autoclosure () -> String, fileName: StaticString,
        lineNumber: Int, functionName: StaticString
    ) {
        guard !condition() else { return }
        let message = message()
        guard !take(.assertion(message), message) else { return }
        fallback.assert(
            false, message: message, fileName: fileName, lineNumber: lineNumber, functionName: functionName
        )
    }
}
