/// A syntax error in a format string: its message, its column, and the excerpt that the message shows.
///
/// ```
/// The format string 'age > ' is wrong at column 7: expected a value, found the end.
/// ```
public struct PredicateFormatError: Error, Hashable, Sendable {
    private struct Content: Hashable {
        let format: String
        let column: Int
        let expected: String
        let found: String?
        let reason: String?
    }

    /// Keeps the content in one word, because each frame of the parser reserves room for an error.
    ///
    /// The parser may have hundreds of frames.
    private indirect enum Box: Hashable {
        case content(Content)
    }

    private let box: Box

    /// - Parameter reason: the message, in place of the expected and the found syntax.
    init(_ format: String, _ column: Int, _ expected: String, _ found: String?, _ reason: String?) {
        box = .content(
            Content(format: format, column: column, expected: expected, found: found, reason: reason))
    }

    private var content: Content {
        switch box {
        case .content(let content): content
        }
    }

    /// The format string.
    public var format: String { content.format }
    /// The place of the mistake: the number of the character, counted from 1.
    public var column: Int { content.column }
    /// The expected syntax.
    public var expected: String { content.expected }
    /// The syntax that was found instead; nil if this does not help the reader.
    public var found: String? { content.found }
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
