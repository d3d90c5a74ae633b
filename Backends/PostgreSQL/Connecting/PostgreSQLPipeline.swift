import CofferCLibPQ
import Foundation

/// Runs commands in the pipeline mode of libpq, which sends commands before the earlier answers arrive.
///
/// Pipeline mode needs libpq 14 or later. A program may find an older libpq at run time.
struct PostgreSQLPipeline: Sendable {
    private typealias Function = @convention(c) (OpaquePointer?) -> Int32

    private let enter: Function
    private let sync: Function
    private let exit: Function

    /// The pipeline mode of the installed libpq; nil if libpq is older.
    static let available: PostgreSQLPipeline? = {
        let program = dlopen(nil, RTLD_NOW)
        func function(_ name: String) -> Function? {
            // Each of the three takes a connection and returns a number, as libpq declares it.
            dlsym(program, name).map { unsafeBitCast($0, to: Function.self) }
        }
        guard let enter = function("PQenterPipelineMode"), let sync = function("PQpipelineSync"),
            let exit = function("PQexitPipelineMode")
        else { return nil }
        return PostgreSQLPipeline(enter: enter, sync: sync, exit: exit)
    }()

    /// The status of the answer that ends a pipeline.
    private static let end: UInt32 = 10

    /// The outcome of the commands of a pipeline.
    struct Outcome {
        /// The answer to the last command, or to the first failed command; nil if the connection was lost.
        var answer: OpaquePointer?
        /// The number of commands that succeeded.
        var doneCount = 0
        /// Whether the connection can be used again.
        var isOver = false
    }

    /// Sends commands and waits for all answers.
    ///
    /// - Parameters:
    ///   - count: the number of commands.
    ///   - send: sends the commands; returns false if this fails.
    func run(_ connection: PostgreSQLHandle, count: Int, _ send: () -> Bool) -> Outcome {
        let handle = connection.pointer
        guard enter(handle) == 1, send(), sync(handle) == 1 else { return Outcome() }
        var outcome = Outcome()
        var isFailed = false
        while true {
            guard let answer = connection.next() else {
                // Nil ends the answer to each command. After the connection was lost, every result is nil.
                if PQstatus(handle) == CONNECTION_OK { continue }
                break
            }
            let status = PQresultStatus(answer)
            guard !isFailed, status.rawValue != Self.end else {
                PQclear(answer)
                if status.rawValue == Self.end { break }
                continue
            }
            PQclear(outcome.answer)
            outcome.answer = answer
            isFailed = status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK && status != PGRES_EMPTY_QUERY
            if !isFailed { outcome.doneCount += 1 }
        }
        if !isFailed, outcome.doneCount < count {
            // The connection was lost between two answers.
            PQclear(outcome.answer)
            outcome.answer = nil
        }
        outcome.isOver = exit(handle) == 1
        return outcome
    }
}
