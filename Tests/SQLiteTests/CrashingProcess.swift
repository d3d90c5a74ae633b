import Foundation

/// The program that commits until it is killed.
enum CrashingProcess {
    /// The moment at which the program is killed.
    enum Moment: CaseIterable {
        /// After the first commit.
        case committing
        /// During a later commit, after the log has grown.
        case writing
        /// While the program opens an existing file, which often needs recovery after the last kill.
        case opening
        /// While the program creates a file.
        case creating
    }

    /// Runs the program on a file, kills it, and returns the last acknowledged number; nil if there is none.
    ///
    /// - Parameters:
    ///   - moment: the moment to wait for.
    ///   - delay: the microseconds to wait after this moment.
    ///   - arguments: further arguments of the program.
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

        // The program prints a line before it opens the file, and then the number of each commit.
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
        // An incomplete line is not an acknowledgement.
        return String(decoding: output, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .dropLast().last.flatMap { Int($0) }
    }

    /// Checks the size of a file until the size changes, at most 100,000 times.
    ///
    /// A log that is written again from its start does not grow.
    private static func waitForGrowth(of path: String) {
        func size() -> off_t? {
            var status = stat()
            return stat(path, &status) == 0 ? status.st_size : nil
        }
        let before = size()
        var looks = 0
        while looks < 100_000, size() == before { looks += 1 }
    }

    /// Returns the program, which is built into the same directory as the tests.
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
