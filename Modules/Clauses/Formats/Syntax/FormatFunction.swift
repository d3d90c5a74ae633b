import CofferStorage
import CofferStorageTools

/// A function of the language: `sum:`, `modulus:by:`, `now`.
struct FormatFunction: Sendable {
    /// The full name, a colon for each argument.
    let name: String
    /// How many arguments it takes; nil for one or more, which are then the members of the one collection.
    let count: Int?

    /// The function with a name, of which a single colon at the end may be missing and the case does not matter.
    static func named(_ name: String) -> FormatFunction? {
        let name = name.lowercased()
        return table[name] ?? table[name + ":"]
    }

    /// The names of all functions, in their order.
    static let names = (aggregates + others).sorted { $0.lowercased() < $1.lowercased() }

    /// The function, or word before a parenthesis, whose name is most like one that there is not.
    static func nearest(to name: String) -> String? {
        let candidates = names + ["CAST", "FETCH", "FUNCTION", "SUBQUERY", "TERNARY"]
        // The colon at the end may be missing.
        let bare = candidates.map { $0.hasSuffix(":") ? String($0.dropLast()) : $0 }
        let nearest = RequestResolver.nearest(to: name.hasSuffix(":") ? String(name.dropLast()) : name, among: bare)
        return nearest.flatMap(bare.firstIndex(of:)).map { candidates[$0] }
    }

    private static let aggregates = ["sum:", "count:", "min:", "max:", "average:", "median:", "mode:", "stddev:"]

    private static let others = [
        "add:to:", "from:subtract:", "multiply:by:", "divide:by:", "modulus:by:", "sqrt:", "log:", "ln:",
        "raise:toPower:", "exp:", "floor:", "ceiling:", "abs:", "trunc:", "uppercase:", "lowercase:", "random",
        "random:", "now", "bitwiseAnd:with:", "bitwiseOr:with:", "bitwiseXor:with:", "leftshift:by:", "rightshift:by:",
        "onesComplement:", "noindex:", "canonical:", "length:", "distanceToLocation:fromLocation:",
    ]

    private static let table: [String: FormatFunction] = {
        var table: [String: FormatFunction] = [:]
        for name in aggregates { table[name] = FormatFunction(name: name, count: nil) }
        for name in others {
            let count = name.utf8.count { $0 == UInt8(ascii: ":") }
            table[name.lowercased()] = FormatFunction(name: name, count: count)
        }
        // Programs have it in their format strings. It is parsed and printed, and refused where a value is asked for.
        table["formatstring"] = FormatFunction(name: "FORMATSTRING", count: nil)
        return table
    }()
}
