import CofferCLibPQ
import Foundation

/// Sends commands over a libpq connection, and closes the connection if the server stops answering.
///
/// libpq waits without a limit for a server whose host accepts data while no server runs there. Therefore a second
/// connection checks a server that is silent for a while. If two such checks fail, the connection is closed.
// Sendable: not; used by one thread at a time, as the PostgreSQLConnection that has it.
final class PostgreSQLHandle {
    let pointer: OpaquePointer
    /// Whether the connection was ended because the server did not answer.
    private(set) var isSilent = false
    /// The seconds of silence after which the server is asked; nil never to ask.
    private let checkInterval: Double?
    /// Asks it.
    private let probe: PostgreSQLProbe
    private let warnings = Warnings()

    /// The longest time between two checks during one statement.
    private static let longestInterval = 60.0

    /// What the server has warned of.
    private final class Warnings {
        var last: PostgreSQLWarning?
    }

    /// Connects.
    ///
    /// - Parameters:
    ///   - options: keywords of libpq's and their values.
    ///   - address: where the server is, for checks.
    /// - Returns: nil where there is not enough memory. The connection may have failed.
    init?(_ options: [(String, String)], _ address: PostgreSQLAddress, checkInterval: Double?) {
        guard let opened = Self.withArrays(options, { PQconnectdbParams($0, $1, 1) }) else { return nil }
        pointer = opened
        self.checkInterval = checkInterval.map { max($0, 0.01) }
        probe = PostgreSQLProbe(address: address)
        // libpq would print what the server notices.
        PQsetNoticeReceiver(
            opened,
            { warnings, notice in
                guard let warnings, let notice, let warning = PostgreSQLWarning(notice) else { return }
                Unmanaged<Warnings>.fromOpaque(warnings).takeUnretainedValue().last = warning
            }, Unmanaged.passUnretained(warnings).toOpaque())
        // What the system does not take at once is sent while the answer is waited for.
        if PQstatus(opened) == CONNECTION_OK { PQsetnonblocking(opened, 1) }
    }

    deinit { PQfinish(pointer) }

    /// Runs the body with options as libpq takes them.
    static func withArrays(
        _ options: [(String, String)],
        _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<UnsafePointer<CChar>?>) -> OpaquePointer?
    ) -> OpaquePointer? {
        var keywords: [UnsafePointer<CChar>?] = options.map { UnsafePointer(strdup($0.0)) }
        var values: [UnsafePointer<CChar>?] = options.map { UnsafePointer(strdup($0.1)) }
        defer { for text in keywords + values { free(UnsafeMutablePointer(mutating: text)) } }
        keywords.append(nil)
        values.append(nil)
        return body(keywords, values)
    }

    /// The last warning since this was asked last.
    func takeWarning() -> PostgreSQLWarning? {
        defer { warnings.last = nil }
        return warnings.last
    }

    // MARK: Statements

    /// Runs statements that have no values, and returns the answer to the last.
    func run(_ text: String) -> OpaquePointer? { run { PQsendQuery(pointer, text) } }

    /// Sends a command, and returns the answer to its last statement; nil where it could not be sent.
    func run(_ send: () -> Int32) -> OpaquePointer? {
        guard send() == 1 else { return nil }
        return last()
    }

    /// The last answer to what was sent, or the first error.
    ///
    /// Behind an answer there may be the news that the server ends the connection, and behind that libpq's own.
    func last() -> OpaquePointer? {
        var answer: OpaquePointer?
        while let next = next() {
            guard answer.map({ PQresultStatus($0) != PGRES_FATAL_ERROR }) ?? true else {
                PQclear(next)
                continue
            }
            PQclear(answer)
            answer = next
            if PQresultStatus(next) == PGRES_COPY_IN { break }
        }
        return answer
    }

    /// Throws away the answers to come.
    func skip() {
        while let next = next() { PQclear(next) }
    }

    /// The next answer to what was sent; nil when there are no more.
    func next() -> OpaquePointer? {
        wait { PQisBusy(pointer) == 0 }
        return PQgetResult(pointer)
    }

    /// Sends all that libpq has held back; false when the connection is lost.
    func flush() -> Bool {
        wait { PQflush(pointer) != 1 }
        return PQflush(pointer) == 0
    }

    // MARK: Answers

    /// Sends and receives until a condition holds, or the connection is lost.
    private func wait(until isDone: () -> Bool) {
        var interval = checkInterval
        var silentChecks = 0
        while !isDone() {
            let unsent = PQflush(pointer)
            guard unsent >= 0 else { return }
            let isAlive = PostgreSQLProbe.isUsable(
                PQsocket(pointer), writes: unsent == 1, reads: true, seconds: interval)
            // What TLS has decrypted already does not show in the socket.
            guard PQconsumeInput(pointer) == 1 else { return }
            if isAlive {
                silentChecks = 0
                continue
            }
            if isDone() { return }
            guard probe.isAnswered(beside: pointer) else {
                silentChecks += 1
                // A host that is overloaded may miss one.
                if silentChecks < 2 { continue }
                // An answer may have come meanwhile.
                guard PQconsumeInput(pointer) == 1, !isDone() else { return }
                return end()
            }
            silentChecks = 0
            interval = interval.map { min($0 * 2, max($0, Self.longestInterval)) }
        }
    }

    /// Has libpq find the connection ended, at once.
    private func end() {
        isSilent = true
        shutdown(PQsocket(pointer), Int32(SHUT_RDWR))
    }
}
