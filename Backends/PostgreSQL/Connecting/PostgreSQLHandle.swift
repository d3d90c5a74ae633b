import CofferCLibPQ
import Foundation

/// Sends commands over a libpq connection, and closes the connection if the server stops answering.
///
/// libpq waits without a limit for a server whose host accepts data while no server runs there. Therefore a second
/// connection checks a server that is silent for a while. If two such checks fail, the connection is closed.
// Not Sendable: one thread at a time uses the handle, like the PostgreSQLConnection that has it.
final class PostgreSQLHandle {
    let pointer: OpaquePointer
    /// Whether the connection was ended because the server did not answer.
    private(set) var isSilent = false
    /// The seconds of silence after which the server is checked; nil for no checks.
    private let checkInterval: Double?
    /// The probe that checks the server.
    private let probe: PostgreSQLProbe
    private let warnings = Warnings()

    /// The longest time between two checks during one statement.
    private static let longestInterval = 60.0

    /// The warnings of the server.
    private final class Warnings {
        var last: PostgreSQLWarning?
    }

    /// Connects to the server.
    ///
    /// - Parameters:
    ///   - options: keywords of libpq and their values.
    ///   - address: the address of the server, for checks.
    /// - Returns: nil if there is not enough memory. The connection may have failed.
    init?(_ options: [(String, String)], _ address: PostgreSQLAddress, checkInterval: Double?) {
        guard let opened = Self.withArrays(options, { PQconnectdbParams($0, $1, 1) }) else { return nil }
        pointer = opened
        self.checkInterval = checkInterval.map { max($0, 0.01) }
        probe = PostgreSQLProbe(address: address)
        // Without a receiver, libpq would print the notices of the server.
        PQsetNoticeReceiver(
            opened,
            { warnings, notice in
                guard let warnings, let notice, let warning = PostgreSQLWarning(notice) else { return }
                Unmanaged<Warnings>.fromOpaque(warnings).takeUnretainedValue().last = warning
            }, Unmanaged.passUnretained(warnings).toOpaque())
        // If the system does not accept all data at once, the rest is sent while the store waits for the answer.
        if PQstatus(opened) == CONNECTION_OK { PQsetnonblocking(opened, 1) }
    }

    deinit { PQfinish(pointer) }

    /// Runs the body with options in the form that libpq takes.
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

    /// Returns the last warning since the previous call.
    func takeWarning() -> PostgreSQLWarning? {
        defer { warnings.last = nil }
        return warnings.last
    }

    // MARK: Statements

    /// Runs statements that have no values, and returns the answer to the last statement.
    func run(_ text: String) -> OpaquePointer? { run { PQsendQuery(pointer, text) } }

    /// Sends a command, and returns the answer to its last statement; nil if the command could not be sent.
    func run(_ send: () -> Int32) -> OpaquePointer? {
        guard send() == 1 else { return nil }
        return last()
    }

    /// Returns the last answer to the sent command, or the first error.
    ///
    /// After an answer, there may be a message that the server ends the connection, and then an error of libpq
    /// itself.
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

    /// Discards the remaining answers.
    func skip() {
        while let next = next() { PQclear(next) }
    }

    /// Returns the next answer to the sent command; nil if there are no more answers.
    func next() -> OpaquePointer? {
        wait { PQisBusy(pointer) == 0 }
        return PQgetResult(pointer)
    }

    /// Sends all data that libpq has buffered; returns false if the connection is lost.
    func flush() -> Bool {
        wait { PQflush(pointer) != 1 }
        return PQflush(pointer) == 0
    }

    // MARK: Answers

    /// Sends and receives data until a condition is true, or until the connection is lost.
    private func wait(until isDone: () -> Bool) {
        var interval = checkInterval
        var silentChecks = 0
        while !isDone() {
            let unsent = PQflush(pointer)
            guard unsent >= 0 else { return }
            let isAlive = PostgreSQLProbe.isUsable(
                PQsocket(pointer), writes: unsent == 1, reads: true, seconds: interval)
            // The socket does not show data that TLS has already decrypted.
            guard PQconsumeInput(pointer) == 1 else { return }
            if isAlive {
                silentChecks = 0
                continue
            }
            if isDone() { return }
            guard probe.isAnswered(beside: pointer) else {
                silentChecks += 1
                // An overloaded host may miss one check.
                if silentChecks < 2 { continue }
                // An answer may have come meanwhile.
                guard PQconsumeInput(pointer) == 1, !isDone() else { return }
                return end()
            }
            silentChecks = 0
            interval = interval.map { min($0 * 2, max($0, Self.longestInterval)) }
        }
    }

    /// Shuts down the socket, so that libpq finds the connection ended at once.
    private func end() {
        isSilent = true
        shutdown(PQsocket(pointer), Int32(SHUT_RDWR))
    }
}
