import Foundation

/// Runs every workload with growing numbers of rows, and prints the exponent of its growth.
///
/// The exponent is 1 if the time of a workload is proportional to its number of rows, and 2 if it is quadratic.
struct GrowthRun {
    private let options: Options

    init(_ options: Options) {
        self.options = options
    }

    /// The numbers of rows: 1,000 and its multiples by four, up to the number of the options.
    private var counts: [Int] {
        Array(sequence(first: 1_000) { $0 * 4 }.prefix { $0 <= options.count })
    }

    func run() throws {
        let workshop = try Workshop()
        defer { workshop.close() }
        var results = Results()
        var table = Table(heading: ["workload", "peer"] + counts.map { "\($0)" } + ["exponent"])
        for workload in options.workloads {
            for count in counts {
                for round in 1...options.rounds {
                    Progress.show("\(workload.rawValue) \(workload.title), \(count) rows, round \(round)")
                    for peer in options.peers {
                        let section = Section(workload: workload.rawValue, peer: peer, count: count)
                        try results.add(workshop.measurement(of: section), to: section)
                    }
                }
            }
            for peer in options.peers {
                let times = counts.map {
                    results.shortest(Section(workload: workload.rawValue, peer: peer, count: $0)) ?? 0
                }
                let curve = GrowthCurve(zip(counts, times))
                table.add(
                    ["\(workload.rawValue) \(workload.title)", peer]
                        + times.map { String(format: "%.4f", $0) }
                        + [curve.exponent.map { String(format: "%.2f", $0) } ?? "–"])
            }
        }
        Progress.clear()
        guard !options.printsJSON else { return print(try results.json()) }
        print(
            "Seconds by number of rows, shortest of \(options.rounds), and the exponent of the growth\n\n\(table.text)")
    }
}
