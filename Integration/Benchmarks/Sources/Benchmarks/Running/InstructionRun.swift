import Foundation

/// Counts instructions with callgrind; unlike times, instructions are repeatable.
struct InstructionRun {
    private let options: Options

    init(_ options: Options) {
        self.options = options
    }

    func run() throws {
        let workshop = try Workshop()
        defer { workshop.close() }
        let callgrind = try Callgrind()
        defer { callgrind.close() }
        // The results are not printed. They throw an error if a check value differs from the value of the raw peer.
        var results = Results()
        var table = Table(heading: ["workload"] + options.peers)
        for workload in options.workloads {
            var raw = 0.0
            var row = ["\(workload.rawValue) \(workload.title)"]
            for peer in options.peers {
                Progress.show("\(workload.rawValue) \(workload.title), \(peer)")
                let section = Section(workload: workload.rawValue, peer: peer, count: options.count)
                try results.add(workshop.measurement(of: section), to: section)
                let each = Double(try callgrind.instructions(of: section, in: workshop)) / Double(options.count)
                raw = peer == RawPeer.name ? each : raw
                row.append("\(Int(each)) (\(String(format: "%.2f", each / raw)))")
            }
            table.add(row)
        }
        Progress.clear()
        print("Instructions per object and ratio to raw, N = \(options.count)\n\n\(table.text)")
    }
}
