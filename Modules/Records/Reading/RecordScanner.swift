import Foundation

/// Finds where each record of a file begins and ends.
protocol RecordScanner {
    /// The next record; nil at the end of the file.
    mutating func next() throws(RecordFileError) -> RawRecord?

    /// The number of bytes of the file that are used up.
    var byteCount: Int64 { get }
}

/// A record as the file has it.
struct RawRecord {
    enum Content {
        case json(Data)
        case csv(CSVRow)
        /// The record breaks a rule of the format, but the records after it can be read.
        case invalid(reason: String)
    }

    /// The line at which the record begins.
    let line: Int
    let content: Content
}
