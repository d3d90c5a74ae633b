import Foundation

/// Runs every workload with growing numbers of rows, and prints the exponent of its growth.
///
/// The exponent is 1 if the time of a workload is proportional to its number of rows, and 2 if it is quadratic. Times
/// also grow because more rows do not fit into the caches of the processor. Instructions do not.
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
        let callgrind = options.countsInstructions ? try Callgrind() : nil
        defer { callgrind?.close() }
        var results = Results()
        var table = Table(heading: ["workload", "peer"] + counts.map { "\($0)" } + ["exponent"])
        for workload in options.workloads {
            let peers = options.peers.filter(workload.isMeasured)
            var figures: [String: [Double]] = [:]
            for count in counts {
                for peer in peers {
                    Progress.show("\(workload.rawValue) \(workload.title), \(count) rows, \(peer)")
                    let section = Section(workload: workload.rawValue, peer: peer, count: count)
                    let rounds = callgrind == nil ? options.rounds : 1
                    for _ in 1...rounds { try results.add(workshop.measurement(of: section), to: section) }
                    let instructions = try callgrind.map { Double(try $0.instructions(of: section, in: workshop)) }
                    figures[peer, default: []].append(instructions ?? results.shortest(section) ?? 0)
                }
            }
            for peer in peers {
                table.add(row(workload, peer, figures[peer] ?? []))
            }
        }
        Progress.clear()
        guard !options.printsJSON else { return print(try results.json()) }
        let unit = callgrind == nil ? "Seconds (shortest of \(options.rounds))" : "Thousands of instructions"
        print("\(unit) by number of rows, and the exponent of the growth\n\n\(table.text)")
    }

    private func row(_ workload: WorkloadID, _ peer: String, _ figures: [Double]) -> [String] {
        let counts = options.countsInstructions
        // Shorter times depend more on the clock and the start of a transaction than on the growth.
        let curve = GrowthCurve(zip(self.counts, figures), from: counts ? 1 : 0.002)
        return ["\(workload.rawValue) \(workload.title)", peer]
            + figures.map { counts ? String(format: "%.0f", $0 / 1_000) : String(format: "%.4f", $0) }
            + [curve.exponent.map { String(format: "%.2f", $0) } ?? "–"]
    }
}
