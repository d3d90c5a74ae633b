import CofferEvaluation
import CofferStorage
import Foundation

/// Defines the PostgreSQL type of each kind of column, and encodes statement parameters in binary form.
enum PostgreSQLType {
    static let boolean: UInt32 = 16
    static let bytea: UInt32 = 17
    static let bigint: UInt32 = 20
    static let text: UInt32 = 25
    static let double: UInt32 = 701
    static let numeric: UInt32 = 1700
}

extension ColumnKind {
    /// The type in a table, its number, and the number of the type of its arrays.
    private var type: (name: String, number: UInt32, arrayNumber: UInt32) {
        switch self {
        case .integer, .reference: ("bigint", PostgreSQLType.bigint, 1016)
        case .boolean: ("boolean", PostgreSQLType.boolean, 1000)
        case .double, .date: ("double precision", PostgreSQLType.double, 1022)
        case .decimal: ("numeric", PostgreSQLType.numeric, 1231)
        case .text: ("text COLLATE \"C\"", PostgreSQLType.text, 1009)
        case .blob: ("bytea", PostgreSQLType.bytea, 1001)
        }
    }

    /// The type in a table.
    var typeName: String { type.name }
    var typeNumber: UInt32 { type.number }
    var arrayTypeNumber: UInt32 { type.arrayNumber }
}

/// The values of a statement's parameters, in binary form.
struct PostgreSQLParameters {
    private(set) var types: [UInt32] = []
    /// The range of the bytes of each value; nil for null.
    private(set) var ranges: [Range<Int>?] = []
    private(set) var bytes: [UInt8] = []

    init() {}

    init(_ values: [Value]) {
        for value in values { append(value) }
    }

    /// - Parameter keys: lists of keys; each list is one value.
    init(keys: [Int64]...) {
        for keys in keys { append(keys: keys) }
    }

    /// - Parameter kind: the kind of the column for the value, which null alone does not determine.
    mutating func append(_ value: Value, as kind: ColumnKind = .text) {
        let start = bytes.count
        guard let type = bytes.append(value) else {
            types.append(kind.typeNumber)
            return ranges.append(nil)
        }
        types.append(type)
        ranges.append(start..<bytes.count)
    }

    /// Appends a list as an array.
    private mutating func append<Element>(
        _ elements: some Collection<Element>, of kind: ColumnKind, _ write: (inout [UInt8], Element) -> Void
    ) {
        types.append(kind.arrayTypeNumber)
        let start = bytes.count
        bytes.append(bigEndian: Int32(1))
        bytes.append(bigEndian: Int32(1))
        bytes.append(bigEndian: kind.typeNumber)
        bytes.append(bigEndian: Int32(elements.count))
        bytes.append(bigEndian: Int32(1))
        for element in elements { write(&bytes, element) }
        ranges.append(start..<bytes.count)
    }

    mutating func append(keys: some Collection<Int64>) {
        append(keys, of: .reference) { bytes, key in bytes.append(field: key) }
    }

    /// Calls the closure with the arrays that libpq takes: the values, their lengths, and the binary formats.
    func withArrays<Result>(
        _ body: (
            _ count: Int32, _ values: [UnsafePointer<CChar>?], _ lengths: [Int32], _ formats: [Int32]
        ) -> Result
    ) -> Result {
        bytes.withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { bytes in
                // An empty value can have any address, but a missing address means null.
                let values = ranges.map { range -> UnsafePointer<CChar>? in
                    guard let range else { return nil }
                    return range.isEmpty ? Self.nothing : bytes.baseAddress.map { $0 + range.lowerBound }
                }
                let lengths = ranges.map { Int32(truncatingIfNeeded: $0?.count ?? 0) }
                return body(Int32(values.count), values, lengths, [Int32](repeating: 1, count: values.count))
            }
        }
    }

    // Immutable: no code writes to this address.
    private nonisolated(unsafe) static let nothing: UnsafePointer<CChar>? = UnsafePointer(strdup(""))

    mutating func append(positions: some Collection<Int64?>) {
        append(positions, of: .integer) { bytes, position in bytes.append(position: position) }
    }

    mutating func append(texts: some Collection<String>) {
        append(texts, of: .text) { bytes, text in bytes.appendField { $0.append(contentsOf: text.utf8) } }
    }

    /// Appends one slot of some rows as an array.
    mutating func append(_ slot: Int, _ kind: ColumnKind, of rows: some Collection<Row>) {
        append(rows, of: kind) { bytes, row in bytes.append(field: slot, kind, of: row) }
    }
}

extension [UInt8] {
    /// Appends a number after its length.
    @inline(__always)
    mutating func append(field number: Int64) {
        append(bigEndian: Int32(8))
        append(bigEndian: number)
    }

    /// Appends a place after its length, which is -1 for nil.
    mutating func append(position: Int64?) {
        if let position { append(field: position) } else { append(bigEndian: Int32(-1)) }
    }

    /// Appends one slot of a row after its length, which is -1 for null.
    mutating func append(field slot: Int, _ kind: ColumnKind, of row: Row) {
        if row.isNull(slot) { return append(bigEndian: Int32(-1)) }
        switch kind {
        case .integer, .reference: append(field: row.integer(slot))
        case .boolean:
            append(bigEndian: Int32(1))
            append(row.boolean(slot) ? 1 : 0)
        case .double, .date: append(field: Int64(bitPattern: row.double(slot).bitPattern))
        case .decimal: appendField { PostgreSQLNumeric.append(row.decimal(slot), to: &$0) }
        case .text: appendField { bytes in row.withBytes(slot) { PostgreSQLText.append($0, to: &bytes) } }
        case .blob: appendField { bytes in row.withBytes(slot) { bytes.append(contentsOf: $0) } }
        }
    }

    /// Appends the bytes of the closure after their length.
    @inline(__always)
    fileprivate mutating func appendField(_ write: (inout [UInt8]) -> Void) {
        let place = count
        append(bigEndian: Int32(0))
        write(&self)
        let length = Int32(truncatingIfNeeded: count - place - 4).bigEndian
        Swift.withUnsafeBytes(of: length) { length in
            for index in 0..<4 { self[place + index] = length[index] }
        }
    }

    /// Appends a value; returns its type, or nil for null.
    fileprivate mutating func append(_ value: Value) -> UInt32? {
        switch value {
        case .null: return nil
        case .boolean(let flag): append(flag ? 1 : 0)
        case .integer(let number): append(bigEndian: number)
        case .object(let id): append(bigEndian: id.key)
        case .double(let number), .date(let number): append(bigEndian: (number + 0).bitPattern)
        case .decimal(let number): PostgreSQLNumeric.append(number, to: &self)
        case .text(var text): text.withUTF8 { PostgreSQLText.append($0, to: &self) }
        case .blob(let data): append(contentsOf: data)
        }
        return value.kind?.typeNumber
    }
}

extension UnsafeRawBufferPointer {
    /// Returns the integer of eight bytes; nil for another number of bytes.
    @inline(__always)
    func bigEndian() -> Int64? { count == 8 ? Int64(bigEndian: loadUnaligned(as: Int64.self)) : nil }
}
