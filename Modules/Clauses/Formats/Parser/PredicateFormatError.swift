/// Says where a format string is wrong, and what should be there.
///
/// ```
/// The format string 'age > ' is wrong at column 7: expected a value, found the end.
/// ```
public struct PredicateFormatError: Error, Hashable, Sendable {
    /// One word instead of many in each of the parser's frames, of which there may be hundreds.
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

    /// - Parameter reason: what to say instead of what was expected and found.
    init(
        format: String, bytes: [UInt8], offset: Int, expected: String, found: String?, reason: String? = nil
    ) {
        let column = String(decoding: bytes[..<min(offset, bytes.count)], as: UTF8.self).count + 1
        content = Content(format, column, expected, found, reason)
    }

    /// The format string.
    public var format: String { content.format }
    /// The place of the mistake: the number of the character, counted from 1.
    public var column: Int { content.column }
    /// What should be there.
    public var expected: String { content.expected }
    /// What is there instead; nil where that does not help.
    public var found: String? { content.found }

    /// Whether both say the same about the same format string.
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
    /// What is wrong and where, in one line.
    public var description: String {
        let place = "The format string '\(excerpt)' is wrong at column \(column)"
        if let reason = content.reason { return "\(place): \(reason)" }
        return "\(place): expected \(expected)\(found.map { ", found \($0)" } ?? "")."
    }

    /// The format string; of a long one, what is about the mistake.
    private var excerpt: String {
        guard format.utf8.count > 160 else { return format }
        let start = format.index(format.startIndex, offsetBy: max(0, column - 81), limitedBy: format.endIndex)
        let rest = format[(start ?? format.endIndex)...]
        let end = rest.index(rest.startIndex, offsetBy: 120, limitedBy: rest.endIndex) ?? rest.endIndex
        return "\(rest.startIndex > format.startIndex ? "…" : "")\(rest[..<end])\(end < rest.endIndex ? "…" : "")"
    }
}
