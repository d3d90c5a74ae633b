import Foundation

/// The program that commits until it is killed.
enum CrashingProcess {
    /// When it is killed.
    enum Moment: CaseIterable {
        /// After its first commit.
        case committing
        /// As it writes a later one: once the log has grown.
        case writing
        /// While it opens a file that is there, often one that the last kill left to be recovered.
        case opening
        /// While it makes a new file.
        case creating
    }

    /// Runs the program on a file, kills it, and returns the last number it acknowledged; nil when there was none.
    ///
    /// - Parameters:
    ///   - moment: what to wait for.
    ///   - delay: the microseconds to wait then.
    ///   - arguments: what else to tell the program.
    static func acknowledged(
        _ file: URL, _ moment: Moment, _ delay: UInt32, _ arguments: [String] = []
    ) throws -> Int? {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = try program()
        process.arguments = [file.path(percentEncoded: false)] + arguments
        process.standardOutput = pipe
        try process.run()
        try pipe.fileHandleForWriting.close()

        // It says that it opens the file, then which commit is made.
        let lines = moment == .committing || moment == .writing ? 2 : 1
        var output = Data()
        while output.count(where: { $0 == UInt8(ascii: "\n") }) < lines {
            let data = pipe.fileHandleForReading.availableData
            guard !data.isEmpty else { break }
            output += data
        }
        if moment == .writing { waitForGrowth(of: file.path(percentEncoded: false) + "-wal") }
        if delay > 0 { usleep(delay) }
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

    /// Looks at a file's size until it changes. A log that is written from its start again does not grow.
    private static func waitForGrowth(of path: String) {
        func size() -> off_t? {
            var status = stat()
            return stat(path, &status) == 0 ? status.st_size : nil
        }
        let before = size()
        var looks = 0
        while looks < 100_000, size() == before { looks += 1 }
    }

    /// The program, which is built into the same directory as the tests.
    static func program() throws -> URL {
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
