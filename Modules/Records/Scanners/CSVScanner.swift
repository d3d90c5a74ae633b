import CofferStorage

/// Scans a CSV file: the header, quotation marks and line ends, and the errors for wrong rows.
struct CSVScanner: RecordScanner {
    private enum State {
        case fieldStart, plain, quoted, afterQuote
        /// The rest of a row that breaks a rule.
        case invalid
    }

    private(set) var buffer: ByteBuffer
    private var line = 1
    private let separator: UInt8
    private(set) var header = CSVHeader([], line: 1)

    private var fields: [CSVField] = []
    private var field: [UInt8] = []
    private var isQuoted = false
    private var invalid: String?

    private static let quote = UInt8(ascii: "\""), lineFeed: UInt8 = 0x0A, carriageReturn: UInt8 = 0x0D

    /// Reads the header row.
    ///
    /// - Throws: ``RecordFileError`` if the file is empty, or the header breaks a rule of CSV or names a column twice.
    init(_ buffer: ByteBuffer, separator: Character) throws(RecordFileError) {
        self.buffer = buffer
        self.separator = try RecordFormat.separatorByte(separator, file: buffer.fileName)
        try self.buffer.takeMark()
        guard let row = try nextRow() else { throw buffer.damaged(1, "The file has no header row.") }
        if let invalid { throw buffer.damaged(row.line, "The header row cannot be read. \(invalid)") }
        header = CSVHeader(fields.map(\.text), line: row.line)
        for (column, name) in header.names.enumerated() {
            guard let first = header.places[name], first != column else { continue }
            throw buffer.damaged(
                row.line,
                "The header row has the name '\(name)' twice, in columns \(first + 1) and \(column + 1). Rename one of them."
            )
        }
    }

    mutating func next() throws(RecordFileError) -> RawRecord? {
        guard let row = try nextRow() else { return nil }
        guard case .csv(let content) = row.content, content.count != header.names.count else { return row }
        let reason = "The row has \(content.count) fields, and the header has \(header.names.count)."
        return RawRecord(line: row.line, content: .invalid(reason: reason))
    }

    /// Returns the next row.
    ///
    /// Empty lines are skipped, except in files with one column.
    private mutating func nextRow() throws(RecordFileError) -> RawRecord? {
        while true {
            let first = line
            fields.removeAll(keepingCapacity: true)
            invalid = nil
            guard try scanRow(first) else { return nil }
            if let invalid { return RawRecord(line: first, content: .invalid(reason: invalid)) }
            let isEmpty = fields.count == 1 && fields[0].isNull && header.names.count != 1
            if !isEmpty { return RawRecord(line: first, content: .csv(fields)) }
        }
    }

    /// Scans one row.
    ///
    /// - Returns: false at the end of the file.
    private mutating func scanRow(_ first: Int) throws(RecordFileError) -> Bool {
        var state = State.fieldStart
        var size = 0
        var isAtEnd = true
        while let byte = try peek(first) {
            isAtEnd = false
            buffer.take(1)
            size += 1
            guard size <= buffer.maximumRecordSize else { throw buffer.tooLarge(first) }
            if byte == Self.lineFeed || (byte == Self.carriageReturn && state != .quoted) {
                if byte == Self.carriageReturn, try peek(first) == Self.lineFeed { buffer.take(1) }
                line += 1
                if state != .quoted {
                    if state != .invalid { endField() }
                    return true
                }
            } else if byte == Self.carriageReturn, try peek(first) != Self.lineFeed {
                line += 1
            }
            // Another quoted field may have line feeds, so the end of the row is unknown.
            guard state != .invalid || byte != Self.quote else {
                throw buffer.damaged(
                    first,
                    "\(invalid ?? "") The row then has another quotation mark, so the end of the row cannot be found. "
                        + "Write each quotation mark inside a quoted field twice.")
            }
            state = step(byte, state)
        }
        guard !isAtEnd else { return false }
        guard state != .quoted else {
            throw buffer.damaged(first, "The file ends inside a quoted field of the row that begins here.")
        }
        if state != .invalid { endField() }
        return true
    }

    private mutating func step(_ byte: UInt8, _ state: State) -> State {
        switch state {
        case .fieldStart where byte == Self.quote:
            isQuoted = true
            return .quoted
        case .fieldStart, .plain:
            if byte == separator {
                endField()
                return .fieldStart
            }
            // If a field does not begin with a quotation mark, quotation marks in the field have no special meaning.
            field.append(byte)
            return .plain
        case .quoted:
            if byte == Self.quote { return .afterQuote }
            field.append(byte)
            return .quoted
        case .afterQuote:
            if byte == Self.quote {
                field.append(byte)
                return .quoted
            }
            guard byte == separator else {
                return invalidate("A field has text after its closing quotation mark.")
            }
            endField()
            return .fieldStart
        case .invalid: return .invalid
        }
    }

    private mutating func endField() {
        if let text = String(validUTF8: field) {
            fields.append(CSVField(text: text, isQuoted: isQuoted))
        } else {
            invalid = "A field is not valid UTF-8."
        }
        field.removeAll(keepingCapacity: true)
        isQuoted = false
    }

    private mutating func invalidate(_ reason: String) -> State {
        invalid = reason
        field.removeAll(keepingCapacity: true)
        isQuoted = false
        return .invalid
    }

    private mutating func peek(_ line: Int) throws(RecordFileError) -> UInt8? {
        if buffer.count == 0, try !buffer.fill(line: line) { return nil }
        return buffer.bytes[buffer.start]
    }
}
