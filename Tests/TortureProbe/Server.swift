import CofferCLibPQ
import Foundation

/// The PostgreSQL server of the workers, and the disturbances that a round causes.
final class Server {
    /// The `application_name` of the workers' connections.
    static let applicationName = "torture"

    private let connection: OpaquePointer?
    /// The process whose children serve the connections.
    private let postmaster: pid_t

    init(_ url: String) throws {
        connection = PQconnectdb(url)
        let result = PQexec(connection, "SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)")
        defer { PQclear(result) }
        guard PQntuples(result) == 1, let process = pid_t(String(cString: PQgetvalue(result, 0, 0))) else {
            throw Failure("The server does not return its process id: \(String(cString: PQerrorMessage(connection)))")
        }
        postmaster = process
    }

    deinit {
        PQfinish(connection)
    }

    /// Ends a worker's connection.
    func endOne() {
        PQclear(PQexec(connection, Self.oneOfTheWorkers("pg_terminate_backend(pid)")))
    }

    /// Stops the process of a worker's connection for a while.
    ///
    /// - Returns: false if no worker is connected.
    func freezeOne(microseconds: UInt32) -> Bool {
        let result = PQexec(connection, Self.oneOfTheWorkers("pid"))
        defer { PQclear(result) }
        guard PQntuples(result) == 1, let process = pid_t(String(cString: PQgetvalue(result, 0, 0))) else {
            return false
        }
        kill(process, SIGSTOP)
        usleep(microseconds)
        kill(process, SIGCONT)
        return true
    }

    /// Stops all processes of the server for a while; the system still accepts connections, but no process answers.
    func freeze(microseconds: UInt32) throws {
        // The stopped postmaster creates no new processes.
        kill(postmaster, SIGSTOP)
        defer { kill(postmaster, SIGCONT) }
        let list = try String(contentsOfFile: "/proc/\(postmaster)/task/\(postmaster)/children", encoding: .utf8)
        let children = list.split(separator: " ").compactMap { pid_t($0) }
        for child in children { kill(child, SIGSTOP) }
        usleep(microseconds)
        for child in children { kill(child, SIGCONT) }
    }

    /// Waits until a worker is connected.
    func waitForOneWorker() throws { try wait { $0 > 0 } }

    /// Waits until the server has ended every connection of a worker.
    ///
    /// The server may still carry out requests from a worker that no longer exists.
    func waitForWorkers() throws {
        try wait { $0 == 0 }
    }

    private func wait(until isDone: (_ workers: Int32) -> Bool) throws {
        for _ in 0..<3_000 {
            let result = PQexec(connection, "SELECT 1 FROM pg_stat_activity WHERE \(Self.isWorkers)")
            defer { PQclear(result) }
            guard PQresultStatus(result) == PGRES_TUPLES_OK else {
                throw Failure(String(cString: PQerrorMessage(connection)))
            }
            if isDone(PQntuples(result)) { return }
            usleep(10_000)
        }
        throw Failure("After 30 seconds the number of worker connections is still wrong.")
    }

    func drop(schema: String) {
        PQclear(PQexec(connection, "SET client_min_messages TO warning; DROP SCHEMA \"\(schema)\" CASCADE"))
    }

    private static let isWorkers = "application_name = '\(applicationName)'"

    private static func oneOfTheWorkers(_ column: String) -> String {
        "SELECT \(column) FROM (SELECT pid FROM pg_stat_activity WHERE \(isWorkers) ORDER BY random() LIMIT 1) one"
    }
}
