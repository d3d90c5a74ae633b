/// The options of the command line.
struct Options {
    static let help = """
        Measures Coffer, the sqlite3 C API and GRDB side by side, and prints ratios to the C API.

        usage: Benchmarks [options]
          --rounds N          the number of fresh processes for each workload and peer; the result is their median
                              (default 7)
          --count N           the number of rows (default 100000, with --instructions 10000)
          --workload A,B      \(WorkloadID.allCases.map(\.rawValue).joined(separator: " "))
          --peer A,B          \(Peers.names.joined(separator: " ")); raw is always measured,
                              and libpq is measured with the peers on PostgreSQL
          --instructions      count instructions with callgrind instead of measuring times (W1p and W2p by default)
          --growth            measure 1000, 4000, 16000 … rows up to --count, and print the exponent of the growth of
                              the times; with --instructions, of the instructions
          --chart FILE        also write the ratios as a bar chart in SVG
          --json              print every figure as JSON instead of tables
        """

    var rounds = 7
    var count = 100_000
    var workloads = WorkloadID.allCases
    var peers = Peers.names
    var countsInstructions = false
    var printsJSON = false
    var measuresGrowth = false
    var chart: String?

    init(parsing arguments: inout [String]) throws {
        if arguments.contains("--instructions") {
            countsInstructions = true
            count = 10_000
            workloads = [.W1p, .W2p]
        }
        while !arguments.isEmpty {
            let option = arguments.removeFirst()
            switch option {
            case "--rounds": rounds = try Self.number(after: option, in: &arguments)
            case "--count": count = try Self.number(after: option, in: &arguments)
            case "--workload": workloads = try Self.list(after: option, in: &arguments).map(Self.workload)
            case "--peer": try choosePeers(Self.list(after: option, in: &arguments))
            case "--instructions": break
            case "--json": printsJSON = true
            case "--growth": measuresGrowth = true
            case "--chart": chart = try Self.value(after: option, in: &arguments)
            default: throw BenchmarkError("Unknown option '\(option)'. See --help.")
            }
        }
        // The number of instructions of an interpreter is not meaningful.
        if countsInstructions { peers.removeAll { Peers.foreign(named: $0) != nil } }
    }

    /// Chooses peers in the order of the table's columns, and always adds the peers that the ratios refer to.
    private mutating func choosePeers(_ names: [String]) throws {
        for name in names where Peers.foreign(named: name) == nil { _ = try Peers.named(name) }
        let needsServer = names.contains(where: Peers.onPostgreSQL.contains)
        peers = Peers.names.filter {
            $0 == RawPeer.name || names.contains($0) || (needsServer && $0 == LibPQPeer.name)
        }
    }

    private static func workload(named name: String) throws -> WorkloadID {
        guard let workload = WorkloadID(rawValue: name) else {
            throw BenchmarkError("There is no workload '\(name)'. See --help.")
        }
        return workload
    }

    private static func list(after option: String, in arguments: inout [String]) throws -> [String] {
        try value(after: option, in: &arguments).split(separator: ",").map(String.init)
    }

    private static func number(after option: String, in arguments: inout [String]) throws -> Int {
        let text = try value(after: option, in: &arguments)
        guard let number = Int(text), number > 0 else {
            throw BenchmarkError("'\(option)' needs a number above 0, not '\(text)'.")
        }
        return number
    }

    private static func value(after option: String, in arguments: inout [String]) throws -> String {
        guard !arguments.isEmpty else { throw BenchmarkError("'\(option)' needs a value.") }
        return arguments.removeFirst()
    }
}
