import CofferSQL
import CofferStorage

/// Decodes the current row of a statement into a packed ``Row``.
struct SQLiteRowDecoder: Sendable {
    private let variants: [SQLiteRowVariant]
    /// The only variant, where the rows do not say what they are of.
    private let only: SQLiteRowVariant?
    private let tableName: String
    /// The number of columns of the shape.
    let columnCount: Int32

    init(_ shape: SQLRowShape, in schema: SQLSchema, root: Int) {
        columnCount = Int32(shape.columnNames.count)
        let table = schema.tables[root].name
        tableName = table
        variants = shape.variants.map {
            SQLiteRowVariant($0, kinds: schema.layout.entities[$0.entity].kinds, table: table, shape.columnNames)
        }
        only = shape.hasEntity ? nil : variants.first
    }

    /// The current row.
    ///
    /// - Throws: `invalidValue` when the file holds what its column cannot.
    @inline(__always)
    func row(_ statement: SQLiteStatement) throws(StorageError) -> Row {
        if let only { return try only.row(statement) }
        return try variant(statement).row(statement)
    }

    /// Calls the closure with every row that is left.
    @inline(__always)
    func forEachRow(
        _ statement: SQLiteStatement, _ body: (consuming Row) -> Void
    ) throws(StorageError) {
        if let only {
            while try statement.step() { body(try only.row(statement)) }
        } else {
            while try statement.step() { body(try variant(statement).row(statement)) }
        }
    }

    private func variant(_ statement: SQLiteStatement) throws(StorageError) -> SQLiteRowVariant {
        // Without variants nothing has rows, and the shape has no third column.
        if !variants.isEmpty {
            let name = statement.textBytes(2)
            for variant in variants where variant.isNamed(name) { return variant }
        }
        let name = variants.isEmpty ? "" : String(decoding: statement.textBytes(2), as: UTF8.self)
        throw StorageError(
            .invalidValue,
            "Row \(statement.integer(0)) of '\(tableName)' is of the entity '\(name)', "
                + "which has no rows in this model. Correct '\(SQLTable.entity)' or delete the row."
        )
    }
}

/// The rows of one entity: which column goes into which slot, and how.
// Sendable: immutable, the memory too. A class, so that decoding a row counts no reference for each list.
private final class SQLiteRowVariant: @unchecked Sendable {
    private struct Field {
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
        let fields = zip(kinds, variant.columns).map { Field(kind: $0, column: Int32($1)) }
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

    /// Whether a name is this entity's, without making a string.
    func isNamed(_ utf8: UnsafeRawBufferPointer) -> Bool { name.elementsEqual(utf8) }

    @inline(__always)
    func row(_ statement: SQLiteStatement) throws(StorageError) -> Row {
        var tailSize = decimalSize
        for column in tail { tailSize += statement.column(column).byteCount }
        let row = RowBuilder(
            entity: entity, key: statement.column(0).integer, version: statement.column(1).integer,
            slotCount: fields.count, tailCapacity: tailSize
        )
        for slot in 0..<fields.count {
            let field = fields[slot]
            let column = statement.column(field.column)
            switch (field.kind, column.type) {
            case (_, SQLiteStorageClass.null): break
            case (.integer, SQLiteStorageClass.integer), (.reference, SQLiteStorageClass.integer):
                row.write(integer: column.integer, slot)
            case (.text, _): _ = row.write(bytes: column.textBytes, slot)
            case (.boolean, SQLiteStorageClass.integer): row.write(boolean: column.integer != 0, slot)
            case (.double, SQLiteStorageClass.real), (.date, SQLiteStorageClass.real),
                (.double, SQLiteStorageClass.integer), (.date, SQLiteStorageClass.integer):
                row.write(double: column.double, slot)
            case (.blob, _): _ = row.write(bytes: column.blobBytes, slot)
            default: try convert(statement, field, into: row, slot)
            }
        }
        return row.build()
    }

    /// Decimals, and values of another type than the column's, as someone who edited the file may have left them.
    private func convert(
        _ statement: SQLiteStatement, _ field: Field, into row: borrowing RowBuilder, _ slot: Int
    ) throws(StorageError) {
        guard let value = statement.converted(field.column, to: field.kind), row.write(value, slot, field.kind) else {
            throw StorageError(
                .invalidValue,
                "'\(tableName).\(columnNames[Int(field.column)])' of row \(statement.column(0).integer) holds a value that is not of its "
                    + "kind, \(field.kind.rawValue). Correct or remove it."
            )
        }
    }
}
