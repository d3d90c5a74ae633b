import Foundation

/// Reads the variables `COFFER_CASE`, `COFFER_SEED` and `COFFER_CASES`: the cases, the seed, the number of requests.
enum Settings {
    /// The patterns of the cases to run: `COFFER_CASE`.
    static let patterns: [Pattern]? = text("COFFER_CASE").map { $0.split(separator: ",").map { Pattern(String($0)) } }

    /// The first seed of random tests: `COFFER_SEED`.
    ///
    /// The default is fixed, so that a run can be repeated.
    static let seed: UInt64 = text("COFFER_SEED").flatMap { UInt64($0) } ?? 2001

    /// The number of requests in each random test: `COFFER_CASES`.
    static let requests: Int = text("COFFER_CASES").flatMap { Int($0) } ?? 200

    private static func text(_ name: String) -> String? {
        ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// A string in which `*` stands for any string.
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
