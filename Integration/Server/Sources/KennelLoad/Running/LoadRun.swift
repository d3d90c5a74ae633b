import Foundation

/// Measures each workload on each side in turn, and prints the medians.
struct LoadRun {
    private let options: Options

    init(_ options: Options) {
        self.options = options
    }

    func run() async throws {
        var measurements: [[[Measurement]]] = []
        for workload in options.workloads {
            var ofSides = options.sides.map { _ in [Measurement]() }
            for round in 1...options.rounds {
                for (place, side) in options.sides.enumerated() {
                    ofSides[place].append(try await workload.measure(side))
                    log("\(workload.id) \(side.rawValue), round \(round) of \(options.rounds)")
                }
            }
            measurements.append(ofSides)
        }
        let parts = [
            (
                "Processor time of the server for each request, in microseconds, median of \(options.rounds).",
                table(measurements, \.processorMicroseconds, digits: 0, ratio: true)
            ),
            ("Requests for each second.", table(measurements, \.rate, digits: 0)),
            (
                "Median milliseconds until the answer, or until all followers have received the change.",
                table(measurements, \.median, digits: 2)
            ),
            ("The 99th percentile of these times, in milliseconds.", table(measurements, \.percentile99, digits: 2)),
            ("Events for each follower and added dog.", table(measurements, \.events, digits: 2)),
        ]
        print(parts.compactMap { title, table in table.map { "\(title)\n\n\($0.text)" } }.joined(separator: "\n\n"))
    }

    /// The medians of a figure; nil if no workload has it.
    private func table(
        _ measurements: [[[Measurement]]], _ figure: (Measurement) -> Double?, digits: Int, ratio: Bool = false
    ) -> Table? {
        let hasRatio = ratio && options.sides == [.coffer, .grdb]
        var table = Table(heading: ["workload"] + options.sides.map(\.rawValue) + (hasRatio ? ["coffer / grdb"] : []))
        var isEmpty = true
        for (workload, ofSides) in zip(options.workloads, measurements) {
            let figures = ofSides.map { rounds in rounds.compactMap(figure).sorted() }.filter { !$0.isEmpty }
                .map { $0[$0.count / 2] }
            guard !figures.isEmpty else { continue }
            isEmpty = false
            table.add(
                ["\(workload.id) \(workload.title)"] + figures.map { String(format: "%.\(digits)f", $0) }
                    + (hasRatio ? [String(format: "%.2f", figures[0] / figures[1])] : []))
        }
        return isEmpty ? nil : table
    }

    private func log(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
}
