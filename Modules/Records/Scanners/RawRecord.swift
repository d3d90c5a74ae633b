import Foundation

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
