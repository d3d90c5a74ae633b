/// The error of a file that cannot be read or written further: its codes and its description.
///
/// If only a record cannot be decoded, the error is a ``RefusedRecord`` instead.
public struct RecordFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of errors.
    public enum Code: String, Sendable, Hashable {
        /// The extension of the file does not determine the format, or the separator of CSV cannot separate fields.
        case unknownFormat
        /// A column of CSV has no field in the reader.
        case unknownKey
        /// The number of values of a written record differs from the number of keys.
        case wrongValueCount
        /// Two keys of a writer are equal, or a writer of CSV has no keys.
        case invalidKeys
        /// A written value is NaN.
        case invalidValue
        /// A record was written after the end of the file.
        case finished
        /// The file does not exist, or the system cannot read or write it.
        case unavailable
        /// Reading was cancelled.
        case cancelled
        /// From some line on, the file does not have the given format.
        case damaged
    }

    /// The kind of the error.
    public let code: Code
    /// The name of the file, without its folder.
    public let file: String
    /// The line at which reading ended; nil if the error concerns no line.
    public let line: Int?
    /// The reason and a solution, in one or more sentences.
    public let reason: String

    /// Creates an error with a reason.
    public init(_ code: Code, file: String, line: Int? = nil, reason: String) {
        self.code = code
        self.file = file
        self.line = line
        self.reason = reason
    }

    /// The file, the line and the reason, in one line.
    public var description: String { "'\(file)'\(line.map { ", line \($0)" } ?? ""): \(reason)" }
}
