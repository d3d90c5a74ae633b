public import CofferStorage

/// Reads the options of a store's URL: refuses unknown names, and checks numbers, seconds, flags and choices.
///
/// ```swift
/// let options = try StorageOptionReader(url, known: MyStore.urlOptions)
/// settings.idleReaders = try options.integer("readers", in: 0...64) ?? settings.idleReaders
/// ```
public struct StorageOptionReader: Sendable {
    private let values: [String: String]

    /// Reads the options of a URL.
    ///
    /// - Throws: `invalidConfiguration` for an unknown option. The error has the name that may have been meant, and
    ///   lists the known names. If there are many, it lists the most similar names.
    public init(_ url: StorageURL, known: [StorageOption]) throws(StorageError) {
        for option in url.options where !known.contains(where: { $0.name == option.name }) {
            let list = Self.list(
                known.map(\.name), like: url.options.contains(where: \.mayBeSecret) ? nil : option.name)
            guard !url.options.contains(where: \.mayBeSecret) else {
                throw .invalidConfiguration(
                    "'\(url.scheme)' has no option with one of the given names. \(list) "
                        + StorageError.passwordAdvice)
            }
            let near = RequestResolver.nearest(to: option.name, among: known.map(\.name))
            let hint = near.map { "Did you mean '\($0)'? " } ?? ""
            throw .invalidConfiguration("'\(url.scheme)' has no option '\(option.name)'. \(hint)\(list)")
        }
        values = Dictionary(url.options.map { ($0.name, $0.value) }) { first, _ in first }
    }

    /// The maximum number of names in a message.
    private static let listLimit = 12

    /// The known names, or the names that are most similar to a name.
    private static func list(_ known: [String], like name: String?) -> String {
        let sorted = known.sorted()
        guard !sorted.isEmpty else { return "It supports no options." }
        guard sorted.count > listLimit else { return "It supports \(quoted(sorted))." }
        guard let name else { return "It supports \(sorted.count) options." }
        let near = RequestResolver.sorted(sorted, byDistanceFrom: name).prefix(3)
        return "It supports \(sorted.count) options, such as \(quoted(Array(near)))."
    }

    private static func quoted(_ names: [String]) -> String { names.map { "'\($0)'" }.joined(separator: ", ") }

    /// The string of an option; nil if the option is missing.
    public func string(_ name: String) -> String? { values[name] }

    /// An option that is a whole number.
    public func integer(_ name: String, in range: ClosedRange<Int>) throws(StorageError) -> Int? {
        let most =
            range.upperBound == .max ? "\(range.lowerBound) or more" : "\(range.lowerBound) to \(range.upperBound)"
        return try value(name, "a whole number, \(most)") { text in
            Int(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// An option that is a time in seconds.
    public func seconds(_ name: String) throws(StorageError) -> Double? {
        try value(name, "a number of seconds, 0 or more") { text in
            Double(text).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
        }
    }

    /// An option that is `true` or `false`; `1` and `0` are the same.
    public func flag(_ name: String) throws(StorageError) -> Bool? {
        try value(name, "true or false") { ["true": true, "1": true, "false": false, "0": false][$0] }
    }

    /// An option that is one of some words, in any case.
    public func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String, _ type: Choice.Type
    ) throws(StorageError) -> Choice? {
        let words = Choice.allCases.map { $0.rawValue.lowercased() }
        return try value(name, words.joined(separator: " or ")) { text in
            Choice.allCases.first { $0.rawValue.lowercased() == text.lowercased() }
        }
    }

    private func value<Value>(
        _ name: String, _ wanted: String, _ parse: (String) -> Value?
    ) throws(StorageError) -> Value? {
        guard let text = values[name] else { return nil }
        if let value = parse(text) { return value }
        // The value is not shown: it may have been meant for another option.
        throw .invalidConfiguration("The option '\(name)' should be \(wanted).")
    }
}
