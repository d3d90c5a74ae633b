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
        print("Processor time of the server for each request, in microseconds, median of \(options.rounds).\n")
        print(table(measurements, \.processorMicroseconds, digits: 0, ratio: true))
        print("\nRequests for each second.\n")
        print(table(measurements, \.rate, digits: 0))
        print("\nMilliseconds until the answer, or until all followers have received the change: the median.\n")
        print(table(measurements, \.median, digits: 2))
        print("\nThe same, of 99 % of the requests.\n")
        print(table(measurements, \.percentile99, digits: 2))
    }

    private func table(
        _ measurements: [[[Measurement]]], _ figure: (Measurement) -> Double, digits: Int, ratio: Bool = false
    ) -> String {
        let hasRatio = ratio && options.sides == [.coffer, .grdb]
        var table = Table(heading: ["workload"] + options.sides.map(\.rawValue) + (hasRatio ? ["coffer / grdb"] : []))
        for (workload, ofSides) in zip(options.workloads, measurements) {
            let figures = ofSides.map { rounds in rounds.map(figure).sorted()[rounds.count / 2] }
            table.add(
                ["\(workload.id) \(workload.title)"] + figures.map { String(format: "%.\(digits)f", $0) }
                    + (hasRatio ? [String(format: "%.2f", figures[0] / figures[1])] : []))
        }
        return table.text
    }

    private func log(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
}
