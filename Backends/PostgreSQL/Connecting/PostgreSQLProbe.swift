import CofferCLibPQ
import Dispatch
import Foundation

/// Checks over a second connection whether the server still answers.
struct PostgreSQLProbe: Sendable {
    let address: PostgreSQLAddress
    /// The seconds to wait for an answer: as long as for any other connection.
    private var limit: Double { address.connectTimeout }

    /// Whether the server of a connection answers another connection.
    ///
    /// An error or a refusal is also an answer, because a server that refuses connections may be working on its
    /// statements. Only silence means that no server is there.
    func isAnswered(beside connection: OpaquePointer) -> Bool {
        let options = address.options + Self.place(of: connection) + [("target_session_attrs", "any")]
        guard let probe = PostgreSQLHandle.withArrays(options, { PQconnectStartParams($0, $1, 1) }) else { return true }
        defer { PQfinish(probe) }
        let end = DispatchTime.now().uptimeNanoseconds + UInt64(limit * 1e9)
        var reads = false
        while PQstatus(probe) != CONNECTION_BAD {
            let now = DispatchTime.now().uptimeNanoseconds
            guard now < end else { return false }
            let rest = Double(end - now) / 1e9
            guard Self.isUsable(PQsocket(probe), writes: !reads, reads: reads, seconds: rest) else { continue }
            switch PQconnectPoll(probe) {
            case PGRES_POLLING_READING: reads = true
            case PGRES_POLLING_WRITING: reads = false
            default: return true
            }
        }
        return true
    }

    /// Returns the options for the server of a connection, without another lookup of its name.
    private static func place(of connection: OpaquePointer) -> [(String, String)] {
        func text(_ value: UnsafePointer<CChar>?) -> String { value.map { String(cString: $0) } ?? "" }
        return [
            ("host", text(PQhost(connection))), ("port", text(PQport(connection))),
            ("hostaddr", text(hostAddress?(connection).map { UnsafePointer($0) })),
        ]
    }

    private typealias Function = @convention(c) (OpaquePointer?) -> UnsafeMutablePointer<CChar>?

    /// The function `PQhostaddr`, which libpq has since version 12.
    private static let hostAddress: Function? = dlsym(dlopen(nil, RTLD_NOW), "PQhostaddr").map {
        // The function takes a connection and returns a string, as libpq declares it.
        unsafeBitCast($0, to: Function.self)
    }

    /// Waits until a socket can be used; returns false if it cannot be used within some seconds.
    static func isUsable(_ socket: Int32, writes: Bool, reads: Bool, seconds: Double?) -> Bool {
        guard socket >= 0 else { return true }
        var entry = pollfd(
            fd: socket, events: Int16((reads ? POLLIN : 0) | (writes ? POLLOUT : 0)), revents: 0)
        let limit = seconds.map { Int32(clamping: Int((min($0, 1_000_000) * 1000).rounded(.up))) } ?? -1
        while true {
            let count = poll(&entry, 1, limit)
            // A signal may interrupt the call.
            if count >= 0 || errno != EINTR { return count != 0 }
        }
    }
}
