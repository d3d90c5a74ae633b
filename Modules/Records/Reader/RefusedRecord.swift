import Foundation

/// The error of a refused record: its line, number, key and reason, from the error of the decoder.
///
/// ```text
/// line 4, record 3, key 'Title': Expected to decode String but found number instead.
/// ```
public struct RefusedRecord: Error, Sendable, CustomStringConvertible {
    /// The line at which the record begins; the first line of a file is 1.
    public let line: Int
    /// The number of the record; the first record of a file is 1.
    ///
    /// A header row does not count.
    public let number: Int
    /// The path of the key in the record, such as `director.name`; nil if the reason concerns the whole record.
    public let key: String?
    /// The reason for the refusal.
    public let reason: String
    /// The error that a decoder or the program has thrown; nil if there is none.
    public let underlyingError: (any Error)?

    /// Creates a refused record with a reason.
    public init(line: Int, number: Int, key: String? = nil, reason: String, underlyingError: (any Error)? = nil) {
        self.line = line
        self.number = number
        self.key = key
        self.reason = reason
        self.underlyingError = underlyingError
    }

    /// The line, the number, the key and the reason, in one line.
    public var description: String { "line \(line), record \(number)\(key.map { ", key '\($0)'" } ?? ""): \(reason)" }
}

extension RefusedRecord {
    /// Creates a refused record from an error.
    package init(line: Int, number: Int, error: any Error) {
        switch error {
        case let refused as RecordFieldError:
            self.init(line: line, number: number, key: refused.key, reason: refused.reason)
        case let error as DecodingError:
            self.init(line: line, number: number, key: error.path, reason: error.reason, underlyingError: error)
        default:
            self.init(line: line, number: number, reason: "\(error)", underlyingError: error)
        }
    }
}

extension DecodingError {
    private var context: Context? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context
        @unknown default: nil
        }
    }

    /// The path of the key that the error is about; nil if there is none.
    fileprivate var path: String? {
        var path = context?.codingPath ?? []
        if case .keyNotFound(let key, _) = self { path.append(key) }
        return path.isEmpty ? nil : path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    }

    /// The problem, without the path.
    var reason: String {
        if case .keyNotFound = self { return "The record has no such key." }
        // Foundation reports the place of a mistake in JSON only in the user info of another error.
        let cause = context?.underlyingError.map { ($0 as NSError).userInfo[NSDebugDescriptionErrorKey] ?? $0 }
        var text = context?.debugDescription ?? "\(self)"
        // Foundation's error for a decimal has no description.
        if text.isEmpty, case .typeMismatch(let type, _) = self { text = "Expected to decode \(type)." }
        return text + (cause.map { " \($0)" } ?? "")
    }
}
