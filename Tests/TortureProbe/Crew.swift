import Foundation

/// Worker processes that run at the same time.
final class Crew {
    private var workers: [(process: Process, output: Pipe)] = []

    /// Starts a worker.
    ///
    /// - Parameter environment: variables in addition to those of this process.
    func start(_ arguments: [String], _ environment: [String: String] = [:]) throws {
        let process = Process()
        let output = Pipe()
        process.executableURL = Bundle.main.executableURL
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardOutput = output
        try process.run()
        try output.fileHandleForWriting.close()
        workers.append((process, output))
    }

    deinit {
        // A failed round does not wait for its workers.
        for (process, _) in workers where process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
    }

    /// Kills all workers.
    func kill() {
        for (process, _) in workers { Foundation.kill(process.processIdentifier, SIGKILL) }
    }

    /// Waits until all workers have ended, and returns their outputs.
    ///
    /// - Parameter allowingKills: whether a worker may have been killed; any other abnormal end is a failure.
    func finish(allowingKills: Bool) throws -> [Data] {
        let outputs = try workers.map { try $0.output.fileHandleForReading.readToEnd() ?? Data() }
        for (process, _) in workers {
            process.waitUntilExit()
            let wasKilled = process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL
            let ended = process.terminationReason == .exit && process.terminationStatus == 0
            guard ended || (allowingKills && wasKilled) else {
                throw Failure("A worker crashed: \(process.terminationReason), status \(process.terminationStatus).")
            }
        }
        return outputs
    }
}
