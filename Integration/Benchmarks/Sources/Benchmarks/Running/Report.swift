import Foundation

/// The printed tables: ratios to raw, and peak memory.
struct Report {
    private let options: Options
    private let results: Results

    init(_ options: Options, _ results: Results) {
        self.options = options
        self.results = results
    }

    var text: String {
        var parts = [
            "Ratio to the sqlite3 C API, N = \(options.count), median of \(options.rounds); target in brackets.",
            times(of: options.peers.filter { !Peers.onPostgreSQL.contains($0) }, measure: RawPeer.name).text,
        ]
        let served = options.peers.filter(Peers.onPostgreSQL.contains)
        if !served.isEmpty {
            parts += ["Ratio to libpq, on the same server.", times(of: served, measure: LibPQPeer.name).text]
        }
        if let memory {
            parts += ["Peak memory, MB", memory.text]
        }
        if let keptMemory {
            parts += ["Memory for each kept object in bytes, without the bytes of its strings", keptMemory.text]
        }
        return parts.joined(separator: "\n\n")
    }

    /// The ratios to the C APIs.
    var chart: Chart {
        let peers = options.peers.filter { $0 != RawPeer.name && $0 != LibPQPeer.name }
        return Chart(
            title: "Time as a ratio to the C API, N = \(options.count), median of \(options.rounds) (less is faster)",
            peers: peers,
            groups: options.workloads.map { workload in
                let ratios = peers.map { peer -> Double? in
                    let measure = Peers.onPostgreSQL.contains(peer) ? LibPQPeer.name : RawPeer.name
                    guard let seconds = results.seconds(section(workload, peer)),
                        let raw = results.seconds(section(workload, measure))
                    else { return nil }
                    return seconds / raw
                }
                return ("\(workload.rawValue) \(workload.title)", ratios)
            })
    }

    private func times(of peers: [String], measure: String) -> Table {
        var table = Table(heading: ["workload"] + peers.map { $0 == measure ? "\($0) (seconds)" : $0 })
        for workload in options.workloads {
            table.add(["\(workload.rawValue) \(workload.title)"] + peers.map { cell(workload, $0, measure) })
        }
        return table
    }

    private var memory: Table? {
        let workloads = options.workloads.filter { [.W1p, .W2p].contains($0) }
        guard !workloads.isEmpty else { return nil }
        var table = Table(heading: ["workload"] + options.peers)
        for workload in workloads {
            let values = options.peers.map { results.megabytes(section(workload, $0)).map { format($0, 0) } ?? "–" }
            table.add(["\(workload.rawValue) \(workload.title)"] + values)
        }
        return table
    }

    private var keptMemory: Table? {
        let workloads = options.workloads.filter { [.W1p, .W2k].contains($0) }
        let peers = options.peers.filter { Peers.foreign(named: $0) == nil }
        guard !workloads.isEmpty, ProcessMemory.allocated() != 0 else { return nil }
        let texts = Double(PersonSample.make(options.count).map(\.textSize).reduce(0, +))
        var table = Table(heading: ["workload"] + peers)
        for workload in workloads {
            let values = peers.map { peer in
                results.keptBytes(section(workload, peer)).map { format(($0 - texts) / Double(options.count), 0) }
                    ?? "–"
            }
            table.add(["\(workload.rawValue) \(workload.title)"] + values)
        }
        return table
    }

    private func cell(_ workload: WorkloadID, _ peer: String, _ measure: String) -> String {
        guard let seconds = results.seconds(section(workload, peer)),
            let raw = results.seconds(section(workload, measure))
        else { return "–" }
        switch peer {
        case measure:
            return "1 (\(format(raw, 3)))"
        case "coffer-sqlite":
            let target = workload.target.map { " (≤ \(format($0, $0 < 0.1 ? 2 : 1)))" } ?? ""
            return format(seconds / raw, seconds / raw < 0.01 ? 4 : 2) + target
        case "coffer-postgresql":
            return format(seconds / raw, 2) + " (≤ \(format(workload.targetOnPostgreSQL, 1)))"
        case "coffer-memory":
            guard let onSQLite = results.seconds(section(workload, "coffer-sqlite")) else { fallthrough }
            return "\(format(onSQLite / seconds, 1)) × faster (≥ 3)"
        default:
            return format(seconds / raw, 2)
        }
    }

    private func section(_ workload: WorkloadID, _ peer: String) -> Section {
        Section(workload: workload.rawValue, peer: peer, count: options.count)
    }

    private func format(_ value: Double, _ digits: Int) -> String {
        String(format: "%.\(digits)f", value)
    }
}
