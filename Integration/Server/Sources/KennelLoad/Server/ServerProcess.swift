import Foundation

/// A server in a separate process, with a file in a separate directory.
final class ServerProcess {
    let port: Int
    private let process = Process()
    private let directory: URL
    private let input = Pipe()
    private var path: String { directory.appending(path: "kennel.sqlite").path }

    /// Starts a server, and returns when it accepts connections.
    init(_ side: Side, dogs: Int) throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "kennel-load-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let output = Pipe()
        process.executableURL = Bundle.main.executableURL
        process.arguments = [
            MeasuredServer.command, side.rawValue, directory.appending(path: "kennel.sqlite").path, "\(dogs)",
        ]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = Int(line.trimmingCharacters(in: .newlines)), port > 0 else {
            throw LoadError("The server of \(side.rawValue) did not start.")
        }
        self.port = port
    }

    /// Kills the process, and reads the nicknames in its file.
    ///
    /// The process has no time to write anything, so that only its answered requests count.
    func killAndReadNicknames() throws -> [String] {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        return try Side.storedNicknames(path: path)
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        try? FileManager.default.removeItem(at: directory)
    }
}
