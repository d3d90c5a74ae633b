import Foundation

/// Runs this program under callgrind.
///
/// The program is a copy without debug information, because valgrind 3.19 cannot read Swift's DWARF 5.
struct Callgrind {
    let launcher: Launcher
    private let copy: URL

    init() throws {
        copy = FileManager.default.temporaryDirectory.appendingPathComponent("coffer-benchmarks-\(UUID().uuidString)")
        _ = try Self.tool("strip").launch(["-o", copy.path, Launcher.executable.path])
        let options = ["--tool=callgrind", "--callgrind-out-file=/dev/null", copy.path]
        launcher = Launcher(program: try Self.tool("valgrind").program, leadingArguments: options)
    }

    func close() {
        try? FileManager.default.removeItem(at: copy)
    }

    /// Returns the number of instructions of the measured section of a workload.
    ///
    /// The number is the difference between two processes. Both do the same work, but only one runs the measured
    /// section, so neither start-up nor preparation counts.
    func instructions(of section: Section, in workshop: Workshop) throws -> Int {
        let all = try instructions(of: workshop.run(.count, section, by: launcher))
        return try all - instructions(of: workshop.run(.skip, section, by: launcher))
    }

    /// Returns the number of instructions that callgrind prints as collected.
    private func instructions(of output: Launcher.Output) throws -> Int {
        for line in output.standardError.split(separator: "\n") where line.contains("Collected :") {
            if let count = line.split(separator: " ").last.flatMap({ Int($0) }) { return count }
        }
        throw BenchmarkError("callgrind printed no count: \(output.standardError)")
    }

    private static func tool(_ name: String) throws -> Launcher {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
        for folder in folders {
            let path = "\(folder)/\(name)"
            if FileManager.default.isExecutableFile(atPath: path) {
                return Launcher(program: URL(fileURLWithPath: path), leadingArguments: [])
            }
        }
        throw BenchmarkError("'\(name)' is not installed.")
    }
}
