/// The options of the command line.
struct Options {
    static let help = """
        Puts load on the server of LiveKennel and on the same server on GRDB, and compares them.

        usage: KennelLoad [options]
          --rounds N          the number of fresh processes for each workload and side; the result is their median
                              (default 3)
          --workload A,B      \(LoadWorkload.all.map(\.id).joined(separator: " "))
          --side A,B          \(Side.allCases.map(\.rawValue).joined(separator: " "))
        """

    var rounds = 3
    var workloads = LoadWorkload.all
    var sides = Side.allCases

    init(_ arguments: [String]) throws {
        var arguments = arguments[...]
        while let option = arguments.popFirst() {
            guard let value = arguments.popFirst() else { throw LoadError("'\(option)' needs a value. See --help.") }
            let names = value.split(separator: ",").map(String.init)
            switch option {
            case "--rounds":
                guard let rounds = Int(value), rounds > 0 else {
                    throw LoadError("'\(value)' is not a number above 0.")
                }
                self.rounds = rounds
            case "--workload":
                workloads = try names.map { name in
                    try Self.found(LoadWorkload.all.first { $0.id == name }, name)
                }
            case "--side": sides = try names.map { try Self.found(Side(rawValue: $0), $0) }
            default: throw LoadError("There is no option '\(option)'. See --help.")
            }
        }
    }

    private static func found<Value>(_ value: Value?, _ name: String) throws -> Value {
        guard let value else { throw LoadError("'\(name)' is unknown. See --help.") }
        return value
    }
}
