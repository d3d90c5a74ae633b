import Foundation

/// The command, run as people run it.
struct Program {
    /// What it printed, and how it ended.
    struct Outcome: Equatable {
        var output: String
        var errors: String
        var code: Int32
    }

    /// Runs the command to its end.
    static func run(_ arguments: String..., environment: [String: String] = [:]) throws -> Outcome {
        try run(arguments, environment: environment)
    }

    /// Runs the command to its end.
    ///
    /// - Parameter keepsToModes: whether the modes of files hold for it, also where root runs it.
    static func run(
        _ arguments: [String], environment: [String: String] = [:], keepsToModes: Bool = false
    ) throws -> Outcome {
        let directory = FileManager.default.temporaryDirectory.appending(path: "coffer-output-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let files = try ["output", "errors"].map { name in
            let url = directory.appending(path: name)
            try Data().write(to: url)
            return (url: url, handle: try FileHandle(forWritingTo: url))
        }
        let process = try start(
            arguments, files[0].handle, files[1].handle, environment, keepsToModes: keepsToModes)
        process.waitUntilExit()
        let texts = try files.map { String(decoding: try Data(contentsOf: $0.url), as: UTF8.self) }
        return Outcome(output: texts[0], errors: texts[1], code: process.terminationStatus)
    }

    /// Starts the command, and ends it by force after some time, unless it has ended.
    ///
    /// - Returns: whether it was killed.
    static func kill(after seconds: Double, _ arguments: String...) throws -> Bool {
        let process = try start(arguments, .nullDevice, .nullDevice, [:])
        Thread.sleep(forTimeInterval: seconds)
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        return process.terminationReason == .uncaughtSignal
    }

    private static func start(
        _ arguments: [String], _ output: FileHandle, _ errors: FileHandle, _ environment: [String: String],
        keepsToModes: Bool = false
    ) throws -> Process {
        let process = Process()
        process.executableURL = try executable()
        process.arguments = arguments
        if keepsToModes, geteuid() == 0 {
            process.executableURL = URL(filePath: "/usr/bin/setpriv")
            let rights = "-dac_override,-dac_read_search"
            process.arguments =
                ["--bounding-set=\(rights)", "--inh-caps=\(rights)", try executable().path(percentEncoded: false)]
                + arguments
        }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        try process.run()
        return process
    }

    /// The program, which is built into the same directory as the tests.
    private static func executable() throws -> URL {
        let bundles = Bundle.allBundles.filter { $0.bundlePath.hasSuffix(".xctest") }.map(\.bundleURL)
        for start in bundles + [Bundle.main.executableURL, Bundle.main.bundleURL].compactMap(\.self) {
            var directory = start.resolvingSymlinksInPath()
            for _ in 0..<4 {
                directory.deleteLastPathComponent()
                let program = directory.appending(path: "coffer")
                if FileManager.default.isExecutableFile(atPath: program.path(percentEncoded: false)) { return program }
            }
        }
        throw Missing()
    }

    struct Missing: Error, CustomStringConvertible {
        let description = "'coffer' is not beside the tests. Build it: swift build --build-tests."
    }
}
