import Foundation

/// Starts child processes: this program itself, or this program under a tool.
struct Launcher {
    struct Output {
        let standardOutput: Data
        let standardError: String
    }

    static let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    static let direct = Launcher(program: executable, leadingArguments: [])

    let program: URL
    let leadingArguments: [String]

    func launch(_ arguments: [String]) throws -> Output {
        let process = Process()
        let output = Pipe()
        let errors = Pipe()
        process.executableURL = program
        process.arguments = leadingArguments + arguments
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let standardOutput = output.fileHandleForReading.readDataToEndOfFile()
        let standardError = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchmarkError("\(arguments.joined(separator: " ")) failed: \(standardError)")
        }
        return Output(standardOutput: standardOutput, standardError: standardError)
    }
}
