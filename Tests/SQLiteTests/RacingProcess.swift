import Foundation

/// A process that opens files at the same moment as other processes.
final class RacingProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    let name: String

    init(_ name: String, isHasty: Bool) throws {
        self.name = name
        process.executableURL = try CrashingProcess.program()
        process.arguments = ["race", name] + (isHasty ? ["hastily"] : [])
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try output.fileHandleForWriting.close()
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    func open(_ file: URL) throws {
        try input.fileHandleForWriting.write(contentsOf: Data((file.path(percentEncoded: false) + "\n").utf8))
    }

    /// Returns the lines that the process prints before it is done with the file.
    func lines() throws -> [String] {
        var text = Data()
        while true {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { throw CrashingProcess.Failure(text: "The probe '\(name)' ended by itself.") }
            text += data
            let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
            if text.last == UInt8(ascii: "\n"), lines.last == "done" { return lines.dropLast() }
        }
    }
}
