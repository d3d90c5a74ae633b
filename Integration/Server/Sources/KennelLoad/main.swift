import Dispatch
import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == MeasuredServer.command {
    perform { try await MeasuredServer(Array(arguments.dropFirst())).run() }
    // The server ends when the program that started it ends.
    _ = try? FileHandle.standardInput.readToEnd()
    exit(0)
} else if arguments.contains("--help") {
    print(Options.help)
} else {
    perform {
        try await LoadRun(Options(arguments)).run()
        exit(0)
    }
    dispatchMain()
}

/// Runs the closure on another thread, and ends the program if it fails.
func perform(_ body: @escaping @Sendable () async throws -> Void) {
    Task.detached {
        do {
            try await body()
        } catch {
            FileHandle.standardError.write(Data("** error: \(error)\n".utf8))
            exit(1)
        }
    }
}
