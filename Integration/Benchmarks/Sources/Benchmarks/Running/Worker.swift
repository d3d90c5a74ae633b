import Foundation

/// The child process: warms up on a small database, then runs exactly one measured section.
struct Worker {
    static let command = "worker"
    private static let warmUpCount = 1_000

    /// The task of a child process.
    enum Task: String {
        /// Measures the workload, and computes the check value.
        case measure

        /// Runs the measured section without the check value, for a tool that counts instructions of processes.
        case count

        /// Does the same work as `count`, without the measured section.
        case skip

        /// Fills a database, which is copied for the processes that measure.
        case fill
    }

    private let task: Task
    private let workload: WorkloadID
    private let peer: any Peer.Type
    private let count: Int
    private let directory: URL

    init(arguments: [String]) throws {
        guard arguments.count == 5, let task = Task(rawValue: arguments[0]),
            let workload = WorkloadID(rawValue: arguments[1]), let count = Int(arguments[3])
        else { throw BenchmarkError("The arguments of the worker are not valid: \(arguments).") }
        self.task = task
        self.workload = workload
        self.count = count
        peer = try Peers.named(arguments[2])
        directory = URL(fileURLWithPath: arguments[4], isDirectory: true)
    }

    func run() throws {
        try run(as: peer)
    }

    private func run<Subject: Peer>(as type: Subject.Type) throws {
        if task == .fill {
            return try workload.content.fill(Subject(in: directory), count: count)
        }
        try warmUp(type)
        let subject = try Subject(in: directory)
        if !Subject.keepsFiles {
            try workload.content.fill(subject, count: count)
            try subject.settle()
            Self.joinFreedMemory()
        }
        var prepared = try workload.make(on: subject, count: count)
        guard task != .skip else { return leave() }
        let allocated = ProcessMemory.allocated()
        let start = ContinuousClock.now
        try prepared.measure()
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        guard task == .measure else { return leave() }
        let memory = ProcessMemory.peak()
        let kept = ProcessMemory.allocated() - allocated
        let measurement = try Measurement(
            seconds: seconds, check: prepared.check(), peakMemory: memory, keptMemory: kept)
        FileHandle.standardOutput.write(try JSONEncoder().encode(measurement))
        leave()
    }

    private func warmUp<Subject: Peer>(_ type: Subject.Type) throws {
        let place = directory.appendingPathComponent("warm-up", isDirectory: true)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let subject = try Subject(in: place)
        try workload.content.fill(subject, count: Self.warmUpCount)
        var small = try workload.make(on: subject, count: Self.warmUpCount)
        try small.measure()
    }

    /// Makes the C library join the small blocks of memory that were freed while the database was filled.
    ///
    /// Otherwise the library would do this work in the measured section, at the first larger allocation.
    private static func joinFreedMemory() {
        UnsafeMutableRawPointer.allocate(byteCount: 1 << 16, alignment: 16).deallocate()
    }

    /// Ends the process without the deinitialisation of objects, which is not part of the benchmark.
    private func leave() {
        _exit(0)
    }
}
