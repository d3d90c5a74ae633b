import CofferSQL
import CofferStorage

/// The rows of one entity: the column for each slot, and the form in which the slot takes the value of the column.
// Sendable: immutable, the memory too. A class, so that decoding a row counts no reference for each list.
final class SQLiteRowVariant: @unchecked Sendable {
    /// The form of a value that a slot takes from its column without a conversion.
    private enum Form: UInt8 {
        case integer
        case double
        case boolean
        case text
        case blob
        /// No value, because the column is converted.
        case converted

        init(_ kind: ColumnKind) {
            self =
                switch kind {
                case .integer, .reference: .integer
                case .double, .date: .double
                case .boolean: .boolean
                case .text: .text
                case .blob: .blob
                case .decimal: .converted
                }
        }
    }

    private struct Field {
        let form: Form
        let kind: ColumnKind
        let column: Int32
    }

    private let entity: Int
    private let name: [UInt8]
    private let fields: UnsafeMutableBufferPointer<Field>
    /// The columns whose bytes go into the tail.
    private let tail: UnsafeMutableBufferPointer<Int32>
    private let decimalSize: Int
    private let tableName: String
    private let columnNames: [String]

    init(_ variant: SQLRowShape.Variant, kinds: [ColumnKind], table: String, _ columnNames: [String]) {
        entity = variant.entity
        name = Array(variant.name.utf8)
        tableName = table
        self.columnNames = columnNames
        let fields = zip(kinds, variant.columns).map { Field(form: Form($0), kind: $0, column: Int32($1)) }
        self.fields = .allocate(capacity: fields.count)
        _ = self.fields.initialize(from: fields)
        let tail = fields.filter { $0.kind == .text || $0.kind == .blob }.map(\.column)
        self.tail = .allocate(capacity: tail.count)
        _ = self.tail.initialize(from: tail)
        decimalSize = fields.count { $0.kind == .decimal } * Row.decimalTailSize
    }

    deinit {
        fields.deallocate()
        tail.deallocate()
    }

    /// Whether some bytes are the name of the entity; creates no string.
    func isNamed(_ utf8: UnsafeRawBufferPointer) -> Bool { name.elementsEqual(utf8) }

    /// Returns the row of some columns.
    ///
    /// - Parameter arena: allocates the row.
    /// - Throws: `invalidValue` if the file contains a value that its column cannot have.
    @inline(__always)
    func row(_ columns: SQLiteColumns, in arena: inout RowArena) throws(StorageError) -> Row {
        var capacity = decimalSize
        for column in tail { capacity &+= columns.column(column).byteCount }
        var isIrregular = false
        let row = RowBuilder(
            entity: entity, key: columns.column(0).integer, version: columns.column(1).integer,
            slotCount: fields.count, tailCapacity: capacity, in: &arena
        ) { slots in
            write(columns, to: slots, capacity: capacity, &isIrregular)
        }
        if isIrregular { try convert(columns, into: row) }
        return row.build()
    }

    /// Writes all slots whose columns have the expected storage class, and null to the others.
    ///
    /// - Returns: the number of bytes in the tail.
    @inline(__always)
    private func write(
        _ columns: SQLiteColumns, to slots: RowSlots, capacity: Int, _ isIrregular: inout Bool
    ) -> Int {
        let count = fields.count
        guard var field = UnsafePointer(fields.baseAddress), count > 0 else { return 0 }
        var used = 0
        var nulls: UInt64 = 0
        var bit: UInt64 = 1
        var slot = 0
        while true {
            let column = columns.column(field.pointee.column)
            let type = column.type
            var word: UInt64 = 0
            switch field.pointee.form {
            case .integer where type == SQLiteStorageClass.integer:
                word = UInt64(bitPattern: column.integer)
            case .double where type == SQLiteStorageClass.real || type == SQLiteStorageClass.integer:
                // Adding zero removes the sign of a zero, because rows do not store it.
                word = (column.double + 0).bitPattern
            case .boolean where type == SQLiteStorageClass.integer:
                word = column.integer != 0 ? 1 : 0
            case .text where type != SQLiteStorageClass.null, .blob where type != SQLiteStorageClass.null:
                let bytes = field.pointee.form == .text ? column.textBytes : column.blobBytes
                // If the file stores strings as UTF-16, reading the bytes may have changed their number.
                if bytes.count <= capacity &- used {
                    if let source = bytes.baseAddress {
                        (slots.tail + used).copyMemory(from: source, byteCount: bytes.count)
                    }
                    word = RowSlots.word(start: used, count: bytes.count)
                    used &+= bytes.count
                } else {
                    nulls |= bit
                }
            default:
                nulls |= bit
                if type != SQLiteStorageClass.null { isIrregular = true }
            }
            slots.words[slot] = word
            slot &+= 1
            field += 1
            if slot == count { break }
            bit <<= 1
            if bit == 0 {
                slots.nulls[(slot &- 1) >> 6] = nulls
                (bit, nulls) = (1, 0)
            }
        }
        // The bits after the last slot are 1, as in every row.
        slots.nulls[(count &- 1) >> 6] = nulls | ~((bit &- 1) | bit)
        return used
    }

    /// Converts decimals, and values of a type that differs from the column, for example in an edited file.
    @inline(never)
    private func convert(_ columns: SQLiteColumns, into row: borrowing RowBuilder) throws(StorageError) {
        for (slot, field) in fields.enumerated() where field.form != .text && field.form != .blob && row.isNull(slot) {
            let column = columns.column(field.column)
            if column.type == SQLiteStorageClass.null { continue }
            guard let value = column.converted(to: field.kind), row.write(value, slot, field.kind) else {
                throw StorageError(
                    .invalidValue,
                    "'\(tableName).\(columnNames[Int(field.column)])' of row \(columns.column(0).integer) has a value "
                        + "that does not fit its kind, \(field.kind.rawValue). Correct or remove the value."
                )
            }
        }
    }
}
