import Foundation

/// The child process: warms up on a small database, then runs exactly one measured section.
struct Worker {
    static let command = "worker"
    private static let warmUpCount = 1_000

    /// What a child process is for.
    enum Task: String {
        /// Measure the workload, and compute the check value.
        case measure

        /// Run the measured section without the check value, for a tool that counts the instructions of the whole process.
        case count

        /// Run `count` without the measured section.
        case skip

        /// Fill a database, to be copied for the processes that measure.
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
        else { throw BenchmarkError("Not a worker's arguments: \(arguments).") }
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

    /// Has the C library do at once what it would do at the first larger allocation, in the measured section: join the
    /// small pieces of memory that filling has freed.
    private static func joinFreedMemory() {
        UnsafeMutableRawPointer.allocate(byteCount: 1 << 16, alignment: 16).deallocate()
    }

    /// Ends the process without tearing objects down, which nobody asked about.
    private func leave() {
        _exit(0)
    }
}
