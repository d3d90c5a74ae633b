import Foundation

/// A raw record of a file, which is not yet decoded.
struct RawRecord {
    enum Content {
        case json(Data)
        case csv([CSVField])
        /// The record breaks a rule of the format, but the records after it can be read.
        case invalid(reason: String)
    }

    /// The line at which the record begins.
    let line: Int
    let content: Content
}
