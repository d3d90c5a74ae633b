import CofferStorage
public import Foundation

/// Writes a file of records one by one; refuses duplicate keys, wrong numbers of values, and NaN.
///
/// ```swift
/// var writer = try RecordWriter(to: handle, format: .csv(), keys: ["name", "year"])
/// try writer.write([.value(.text("Alien")), .value(.integer(1979))])
/// try writer.finish()
/// ```
///
/// A ``RecordReader`` with fields of the same types reads the same values. Lists in CSV are an exception: the writer
/// writes a list as a JSON string, and a reader of CSV refuses this string as a list.
public struct RecordWriter {
    private let handle: FileHandle
    private let format: RecordFormat
    private let keys: [String]
    private let name: String
    private var text: RecordText
    private var count = 0
    private var isFinished = false
    /// The reason that the file cannot be written any further; nil if it can be written.
    private var failure: RecordFileError?

    private static let pieceSize = 1 << 16

    /// Creates a writer that appends to a file.
    ///
    /// - Parameter name: the name of the file, for errors.
    /// - Throws: ``RecordFileError`` if two keys are equal, if CSV has no keys, or if the separator of CSV cannot
    ///   separate fields.
    public init(
        to handle: FileHandle, format: RecordFormat, keys: [String], name: String = "output"
    ) throws(RecordFileError) {
        self.handle = handle
        self.format = format
        self.keys = keys
        self.name = name
        text = RecordText()
        guard Set(keys).count == keys.count else {
            throw error(.invalidKeys, "A key occurs twice. No reader accepts two columns with the same name.")
        }
        guard case .csv(let separator) = format else { return }
        guard !keys.isEmpty else {
            throw error(.invalidKeys, "There are no keys, but CSV needs a header.")
        }
        _ = try RecordFormat.separatorByte(separator, file: name)
        let names = keys.map { RecordValue.value(.text($0)) }
        text.appendRow(names, separator)
    }

    /// Writes a record.
    ///
    /// - Parameter values: a value for each key, in the same order. In JSON, a key without a value is left out.
    /// - Throws: ``RecordFileError``. If there are more or fewer values than keys, or if a value is NaN, the record is
    ///   not written, and the next call may write another record. After ``finish()``, no record is written. If the
    ///   system cannot write, the file may end inside a record, and every later call throws the same error.
    public mutating func write(_ values: [RecordValue]) throws(RecordFileError) {
        if let failure { throw failure }
        guard !isFinished else {
            throw error(.finished, "The end of the file is already written. Create another writer.")
        }
        guard values.count == keys.count else {
            throw error(
                .wrongValueCount,
                "A record has \(values.count) values, but there are \(keys.count) keys. "
                    + "Give each key one value. Use '.absent' for a missing value.")
        }
        if let place = values.firstIndex(where: \.hasNaN) {
            throw error(
                .invalidValue,
                "The value of '\(keys[place])' is not a number, and no reader accepts it. Use null or a number.")
        }
        switch format {
        case .jsonLines:
            text.appendObject(keys, values)
            text.append("\n")
        case .jsonArray:
            text.append(count == 0 ? "[\n" : ",\n")
            text.appendObject(keys, values)
        case .csv(let separator): text.appendRow(values, separator)
        }
        count += 1
        if text.bytes.count >= Self.pieceSize { try flush() }
    }

    /// Writes the end of the file; a second call does nothing.
    ///
    /// The handle stays open.
    ///
    /// - Throws: ``RecordFileError`` if the system cannot write, or if an earlier call could not write.
    public mutating func finish() throws(RecordFileError) {
        if let failure { throw failure }
        guard !isFinished else { return }
        isFinished = true
        if format == .jsonArray { text.append(count == 0 ? "[]\n" : "\n]\n") }
        try flush()
    }

    private mutating func flush() throws(RecordFileError) {
        do {
            try handle.write(contentsOf: text.bytes)
        } catch {
            // Some of the bytes may be in the file, so none of them may be written again.
            let reason = (error as NSError).localizedDescription
            let failure = self.error(.unavailable, "The records cannot be written: \(reason)")
            self.failure = failure
            throw failure
        }
        text.bytes.removeAll(keepingCapacity: true)
    }

    private func error(_ code: RecordFileError.Code, _ reason: String) -> RecordFileError {
        RecordFileError(code, file: name, reason: reason)
    }
}

extension RecordValue {
    fileprivate var hasNaN: Bool {
        switch self {
        case .absent: false
        case .value(let value): value.isNaN
        case .list(let values): values.contains(where: \.isNaN)
        }
    }
}

extension Value {
    fileprivate var isNaN: Bool {
        switch self {
        case .double(let number), .date(let number): number.isNaN
        case .decimal(let number): number.isNaN
        default: false
        }
    }
}
