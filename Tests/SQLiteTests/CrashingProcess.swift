import Foundation

/// The program that commits until it is killed.
enum CrashingProcess {
    /// Runs the program on a file, kills it, and returns the last number it acknowledged; nil when there was none.
    ///
    /// - Parameters:
    ///   - isCommitting: whether to wait for the first commit; else only for the moment before the file is opened.
    ///   - delay: the microseconds to wait then.
    static func acknowledged(_ file: URL, isCommitting: Bool, _ delay: UInt32) throws -> Int? {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = try program()
        process.arguments = [file.path(percentEncoded: false)]
        process.standardOutput = pipe
        try process.run()
        try pipe.fileHandleForWriting.close()

        var output = Data()
        while output.count(where: { $0 == UInt8(ascii: "\n") }) < (isCommitting ? 2 : 1) {
            let data = pipe.fileHandleForReading.availableData
            guard !data.isEmpty else { break }
            output += data
        }
        usleep(delay)
        kill(process.processIdentifier, SIGKILL)
        output += try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationReason == .uncaughtSignal, process.terminationStatus == SIGKILL else {
            throw Failure(text: "The probe ended by itself, with status \(process.terminationStatus).")
        }
        // A line that was not finished is not an acknowledgement.
        return String(decoding: output, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .dropLast().last.flatMap { Int($0) }
    }

    /// The program, which is built into the same directory as the tests.
    private static func program() throws -> URL {
        let bundles = Bundle.allBundles.filter { $0.bundlePath.hasSuffix(".xctest") }.map(\.bundleURL)
        for start in bundles + [Bundle.main.executableURL, Bundle.main.bundleURL].compactMap(\.self) {
            var directory = start.resolvingSymlinksInPath()
            for _ in 0..<4 {
                directory.deleteLastPathComponent()
                let program = directory.appending(path: "CrashProbe")
                if FileManager.default.isExecutableFile(atPath: program.path(percentEncoded: false)) { return program }
            }
        }
        throw Failure(text: "CrashProbe is not beside the tests. Build it: swift build --build-tests.")
    }

    struct Failure: Error {
        let text: String
    }
}
