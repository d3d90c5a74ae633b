/// A file of records that cannot be read or written any further.
///
/// A record that cannot be decoded is no such error: see ``RefusedRecord``.
public struct RecordFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of errors.
    public enum Code: String, Sendable, Hashable {
        /// The extension does not give the format, or the separator of CSV cannot separate fields.
        case unknownFormat
        /// A column of CSV is no field of the reader.
        case unknownKey
        /// A record to be written has more or fewer values than there are keys.
        case wrongValueCount
        /// The keys of a writer are equal, or CSV has none.
        case invalidKeys
        /// A value to be written is not a number.
        case invalidValue
        /// A record was written after the end of the file.
        case finished
        /// The file does not exist, or the system cannot read or write it.
        case unavailable
        /// Reading was cancelled.
        case cancelled
        /// The file is not of its format from some line on.
        case damaged
    }

    /// The kind of the error.
    public let code: Code
    /// The name of the file, without its folder.
    public let file: String
    /// The line at which reading ended; nil if the error concerns no line.
    public let line: Int?
    /// The reason, and the way out, in one sentence or more.
    public let reason: String

    /// An error with the reason given.
    public init(_ code: Code, file: String, line: Int? = nil, reason: String) {
        self.code = code
        self.file = file
        self.line = line
        self.reason = reason
    }

    /// The file, the line and the reason, in one line.
    public var description: String { "'\(file)'\(line.map { ", line \($0)" } ?? ""): \(reason)" }
}
