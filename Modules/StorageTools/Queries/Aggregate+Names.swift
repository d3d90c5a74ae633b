package import CofferStorage

/// Converts aggregates to and from their names in requests, such as `average:` and `@avg`.
extension ValueRequest.Aggregate {
    /// The name without a colon: `average`, `max`.
    package var name: String {
        switch self {
        case .count: "count"
        case .sum: "sum"
        case .average: "average"
        case .minimum: "min"
        case .maximum: "max"
        }
    }

    /// The name as a function: `average:`.
    package var functionName: String { name + ":" }

    /// The name as a key of a path: `@avg`.
    package var pathKey: String { self == .average ? "@avg" : "@" + name }

    /// The aggregate with a name without a colon.
    package init?(name: some StringProtocol) {
        guard let aggregate = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = aggregate
    }

    /// The aggregate of a function with this name; nil if there is none.
    package init?(functionName: String) {
        guard functionName.hasSuffix(":") else { return nil }
        self.init(name: functionName.dropLast())
    }

    /// The aggregate of a key of a path; nil if the key is not an aggregate.
    package init?(pathKey: String) {
        guard pathKey.hasPrefix("@") else { return nil }
        if pathKey == "@avg" { self = .average } else { self.init(name: pathKey.dropFirst()) }
    }
}
