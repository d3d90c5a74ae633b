/// A syntax error in a format string: its message, its column, and the excerpt that the message shows.
///
/// ```
/// The format string 'age > ' is wrong at column 7: expected a value, found the end.
/// ```
public struct PredicateFormatError: Error, Hashable, Sendable {
    /// The content of the error, so that each frame of the parser holds one word; there may be hundreds of frames.
    private final class Content: Sendable {
        let format: String
        let column: Int
        let expected: String
        let found: String?
        let reason: String?

        init(_ format: String, _ column: Int, _ expected: String, _ found: String?, _ reason: String?) {
            self.format = format
            self.column = column
            self.expected = expected
            self.found = found
            self.reason = reason
        }
    }

    private let content: Content

    /// - Parameter reason: the message, in place of the expected and the found syntax.
    init(_ format: String, _ column: Int, _ expected: String, _ found: String?, _ reason: String?) {
        content = Content(format, column, expected, found, reason)
    }

    /// The format string.
    public var format: String { content.format }
    /// The place of the mistake: the number of the character, counted from 1.
    public var column: Int { content.column }
    /// The expected syntax.
    public var expected: String { content.expected }
    /// The syntax that was found instead; nil if this does not help the reader.
    public var found: String? { content.found }

    /// Whether two errors describe the same mistake in the same format string.
    public static func == (left: PredicateFormatError, right: PredicateFormatError) -> Bool {
        left.format == right.format && left.column == right.column && left.expected == right.expected
            && left.found == right.found
    }

    /// Hashes the format string and the place.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(format)
        hasher.combine(column)
    }
}

extension PredicateFormatError: CustomStringConvertible {
    /// The mistake and its place, in one line.
    public var description: String {
        let place = "The format string '\(excerpt)' is wrong at column \(column)"
        if let reason = content.reason { return "\(place): \(reason)" }
        return "\(place): expected \(expected)\(found.map { ", found \($0)" } ?? "")."
    }

    /// The format string; if it is long, only the part around the mistake.
    private var excerpt: String {
        guard format.utf8.count > 160 else { return format }
        let start = format.index(format.startIndex, offsetBy: max(0, column - 81), limitedBy: format.endIndex)
        let rest = format[(start ?? format.endIndex)...]
        let end = rest.index(rest.startIndex, offsetBy: 120, limitedBy: rest.endIndex) ?? rest.endIndex
        return "\(rest.startIndex > format.startIndex ? "…" : "")\(rest[..<end])\(end < rest.endIndex ? "…" : "")"
    }
}
