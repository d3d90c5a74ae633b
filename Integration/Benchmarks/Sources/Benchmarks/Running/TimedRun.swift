import Foundation

/// Runs every workload on every peer, round by round, each in a separate process.
struct TimedRun {
    private let options: Options

    init(_ options: Options) {
        self.options = options
    }

    func run() throws {
        let workshop = try Workshop()
        defer { workshop.close() }
        var results = Results()
        for workload in options.workloads {
            for round in 1...options.rounds {
                Progress.show("\(workload.rawValue) \(workload.title), round \(round) of \(options.rounds)")
                for peer in options.peers where workload.isMeasured(on: peer) {
                    let section = Section(workload: workload.rawValue, peer: peer, count: options.count)
                    try results.add(workshop.measurement(of: section), to: section)
                }
            }
        }
        Progress.clear()
        let report = Report(options, results)
        print(options.printsJSON ? try results.json() : report.text)
        if let chart = options.chart { try report.chart.svg.write(toFile: chart, atomically: true, encoding: .utf8) }
    }
}
