import CofferStorage
import CofferStorageTools

/// The functions of format strings, such as `sum:`, `modulus:by:` or `now`: their names and numbers of arguments.
struct FormatFunction: Sendable {
    enum Meaning {
        /// A function of single values.
        case value(ValueFunction)
        /// A function of the members of a collection, or of all arguments.
        case aggregate(ValueRequest.Aggregate), median, mode, deviation
        case now, random, randomBelow, noIndex, distance
        /// A function that existing programs use in format strings. It is parsed and printed, but cannot be evaluated.
        case formatString
    }

    /// The full name, with a colon for each argument.
    let name: String
    let meaning: Meaning

    /// Returns the function with exactly this name.
    static func exactly(_ name: String) -> FormatFunction? { exact[name] }

    /// Returns the function with a name in upper or lower case; a colon at the end of the name may be missing.
    static func named(_ name: String) -> FormatFunction? {
        lowercased[name.lowercased()] ?? lowercased[name.lowercased() + ":"]
    }

    /// The number of arguments; nil for one or more.
    var argumentCount: Int? {
        switch meaning {
        case .aggregate, .median, .mode, .deviation, .formatString: nil
        default: name.utf8.count { $0 == UInt8(ascii: ":") }
        }
    }

    /// The sorted names of all functions.
    static let names = all.map(\.name).sorted { $0.lowercased() < $1.lowercased() }

    /// The name of a function, or of a word before a parenthesis, that is most similar to an unknown name.
    static func nearest(to name: String) -> String? {
        let candidates = names + ["CAST", "FETCH", "FUNCTION", "SUBQUERY", "TERNARY"]
        // The colon at the end may be missing.
        let bare = candidates.map { $0.hasSuffix(":") ? String($0.dropLast()) : $0 }
        let nearest = RequestResolver.nearest(to: name.hasSuffix(":") ? String(name.dropLast()) : name, among: bare)
        return nearest.flatMap(bare.firstIndex(of:)).map { candidates[$0] }
    }

    private static let exact = Dictionary(uniqueKeysWithValues: (all + [formatString]).map { ($0.name, $0) })
    private static let lowercased = Dictionary(uniqueKeysWithValues: exact.values.map { ($0.name.lowercased(), $0) })

    private static let formatString = FormatFunction(name: "FORMATSTRING", meaning: .formatString)
    private static let all: [FormatFunction] =
        ValueRequest.Aggregate.allCases.map { FormatFunction(name: $0.functionName, meaning: .aggregate($0)) }
        + values.map { FormatFunction(name: $0, meaning: .value($1)) }
        + others.map { FormatFunction(name: $0, meaning: $1) }

    private static let others: [(String, Meaning)] = [
        ("median:", .median), ("mode:", .mode), ("stddev:", .deviation), ("now", .now), ("random", .random),
        ("random:", .randomBelow), ("noindex:", .noIndex), ("distanceToLocation:fromLocation:", .distance),
    ]

    private static let values: [(String, ValueFunction)] = [
        ("add:to:", .add), ("from:subtract:", .subtract), ("multiply:by:", .multiply), ("divide:by:", .divide),
        ("modulus:by:", .modulus), ("raise:toPower:", .power), ("sqrt:", .squareRoot), ("log:", .commonLogarithm),
        ("ln:", .naturalLogarithm), ("exp:", .exponential), ("floor:", .floor), ("ceiling:", .ceiling),
        ("abs:", .absolute), ("trunc:", .truncate), ("uppercase:", .uppercase), ("lowercase:", .lowercase),
        ("canonical:", .canonical), ("length:", .length), ("bitwiseAnd:with:", .bitwiseAnd),
        ("bitwiseOr:with:", .bitwiseOr), ("bitwiseXor:with:", .bitwiseXor), ("leftshift:by:", .shiftLeft),
        ("rightshift:by:", .shiftRight), ("onesComplement:", .complement),
    ]
}
