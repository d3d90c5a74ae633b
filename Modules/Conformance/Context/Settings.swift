import Foundation

/// Reads the variables `COFFER_CASE`, `COFFER_SEED` and `COFFER_CASES`: the cases, the seed, the number of requests.
enum Settings {
    /// Which cases to run: `COFFER_CASE`.
    static let patterns: [Pattern]? = text("COFFER_CASE").map { $0.split(separator: ",").map { Pattern(String($0)) } }

    /// Where random tests begin: `COFFER_SEED`.
    ///
    /// Fixed unless given, so that a run can be repeated.
    static let seed: UInt64 = text("COFFER_SEED").flatMap { UInt64($0) } ?? 2001

    /// How many requests each random test makes: `COFFER_CASES`.
    static let requests: Int = text("COFFER_CASES").flatMap { Int($0) } ?? 200

    private static func text(_ name: String) -> String? {
        ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// A text in which `*` stands for any text.
struct Pattern {
    private let parts: [Substring]

    init(_ text: String) { parts = text.split(separator: "*", omittingEmptySubsequences: false) }

    func matches(_ text: String) -> Bool {
        guard let first = parts.first, let last = parts.last, text.hasPrefix(first) else { return false }
        guard parts.count > 1 else { return text == first }
        var rest = text.dropFirst(first.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let range = rest.firstRange(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return rest.hasSuffix(last)
    }
}
