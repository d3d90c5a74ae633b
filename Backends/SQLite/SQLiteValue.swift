import CSQLite
import CofferSQL
import CofferStorage
import Foundation

/// Turns the current row of a statement into a packed ``Row``.
struct SQLiteRowDecoder: Sendable {
    private struct Field: Sendable {
        let kind: ColumnKind
        let column: Int32
    }

    // A class, so that decoding a row counts one reference and not one for each list.
    private final class Variant: Sendable {
        let entity: Int
        let name: StaticBytes
        let fields: [Field]
        /// The columns whose bytes go into the tail.
        let tail: [Int32]
        let decimalSize: Int

        init(entity: Int, name: StaticBytes, fields: [Field]) {
            self.entity = entity
            self.name = name
            self.fields = fields
            tail = fields.filter { $0.kind == .text || $0.kind == .blob }.map(\.column)
            decimalSize = fields.count { $0.kind == .decimal } * Row.decimalTailSize
        }
    }

    /// The UTF-8 of a name, for comparing without making strings.
    private struct StaticBytes: Sendable {
        let bytes: [UInt8]

        func isSame(as other: UnsafeRawBufferPointer) -> Bool {
            bytes.elementsEqual(other)
        }
    }

    private let variants: [Variant]
    private let hasEntity: Bool
    private let tableName: String
    private let columnNames: [String]
    /// The number of columns of the shape.
    let columnCount: Int32

    init(_ shape: SQLRowShape, in schema: SQLSchema, root: Int) {
        hasEntity = shape.hasEntity
        columnCount = Int32(shape.columnNames.count)
        columnNames = shape.columnNames
        tableName = schema.tables[root].name
        variants = shape.variants.map { variant in
            let kinds = schema.layout.entities[variant.entity].kinds
            let fields = zip(kinds, variant.columns).map { Field(kind: $0, column: Int32($1)) }
            return Variant(
                entity: variant.entity, name: StaticBytes(bytes: Array(variant.name.utf8)), fields: fields
            )
        }
    }

    /// - Throws: `invalidValue` when the file holds what its column cannot.
    @inline(__always)
    func row(_ statement: SQLiteStatement) throws(StorageError) -> Row {
        let variant = hasEntity || variants.isEmpty ? try self.variant(statement) : variants[0]
        var tailSize = variant.decimalSize
        for column in variant.tail { tailSize += statement.byteCount(column) }
        let row = Row.make(
            entity: variant.entity, key: statement.integer(0), version: statement.integer(1),
            slotCount: variant.fields.count, tailCapacity: tailSize
        )
        var slot = 0
        for field in variant.fields {
            let column = field.column
            switch (field.kind, statement.type(column)) {
            case (_, SQLITE_NULL): break
            case (.text, _): _ = row.write(bytes: statement.textBytes(column), slot)
            case (.integer, SQLITE_INTEGER), (.date, SQLITE_INTEGER), (.reference, SQLITE_INTEGER):
                row.write(integer: statement.integer(column), slot)
            case (.boolean, SQLITE_INTEGER): row.write(boolean: statement.integer(column) != 0, slot)
            case (.double, SQLITE_FLOAT), (.double, SQLITE_INTEGER): row.write(double: statement.double(column), slot)
            case (.blob, _): _ = row.write(bytes: statement.blobBytes(column), slot)
            default: try convert(statement, field.kind, column, into: row, slot)
            }
            slot += 1
        }
        return row
    }

    private func variant(_ statement: SQLiteStatement) throws(StorageError) -> Variant {
        if hasEntity {
            let name = statement.textBytes(2)
            for variant in variants where variant.name.isSame(as: name) { return variant }
        }
        let name = hasEntity ? String(decoding: statement.textBytes(2), as: UTF8.self) : ""
        throw StorageError(
            .invalidValue,
            "Row \(statement.integer(0)) of '\(tableName)' is of the entity '\(name)', "
                + "which has no rows in this model. Correct '\(SQLTable.entity)' or delete the row."
        )
    }

    /// Decimals, and values of another type than the column's, as someone who edited the file may have left them.
    private func convert(
        _ statement: SQLiteStatement, _ kind: ColumnKind, _ column: Int32, into row: Row, _ slot: Int
    ) throws(StorageError) {
        guard let value = statement.converted(column, to: kind), row.write(value, slot, kind) else {
            throw StorageError(
                .invalidValue,
                "'\(tableName).\(columnNames[Int(column)])' of row \(row.key) holds a value that is not of its kind, "
                    + "\(kind.rawValue). Correct or remove it."
            )
        }
    }
}

extension SQLiteStatement {
    /// A column as a value of a kind; nil when it is not null and cannot be one.
    func converted(_ column: Int32, to kind: ColumnKind) -> Value? {
        let type = type(column)
        if type == SQLITE_NULL { return .null }
        switch kind {
        case .text: return .text(String(decoding: textBytes(column), as: UTF8.self))
        case .blob: return .blob(Data(blobBytes(column)))
        case .decimal: return DecimalText.decimal(textBytes(column)).map(Value.decimal)
        case .double:
            if type == SQLITE_FLOAT || type == SQLITE_INTEGER { return .double(double(column)) }
            return Double(string(column) ?? "").flatMap { $0.isNaN ? nil : .double($0) }
        case .integer, .reference: return whole(column, type).map(Value.integer)
        case .date: return whole(column, type).map(Value.date)
        case .boolean: return whole(column, type).map { .boolean($0 != 0) }
        }
    }

    private func whole(_ column: Int32, _ type: Int32) -> Int64? {
        switch type {
        case SQLITE_INTEGER: integer(column)
        case SQLITE_FLOAT: Int64(exactly: double(column))
        default: Int64(string(column) ?? "")
        }
    }

    /// Binds any value in the form its kind is kept in.
    func bind(_ value: Value, _ place: Int32) throws(StorageError) {
        switch value {
        case .null: bindNull(place)
        case .boolean(let flag): bind(flag ? 1 as Int64 : 0, place)
        case .integer(let number), .date(let number): bind(number, place)
        case .double(let number): bind(number, place)
        case .decimal(let number): try bind("\(number)", place)
        case .text(let text): try bind(text, place)
        case .blob(let data): try bind(data, place)
        case .object(let id): bind(id.key, place)
        }
    }

    func bind(_ values: [Value]) throws(StorageError) {
        for (index, value) in values.enumerated() { try bind(value, Int32(index + 1)) }
    }

    /// Binds a slot straight from the memory of a row that outlives the statement's run.
    @inline(__always)
    func bind(_ row: Row, _ slot: Int, _ kind: ColumnKind, _ place: Int32) throws(StorageError) {
        if row.isNull(slot) { return bindNull(place) }
        switch kind {
        case .integer, .date, .reference: bind(row.integer(slot), place)
        case .boolean: bind(row.boolean(slot) ? 1 as Int64 : 0, place)
        case .double: bind(row.double(slot), place)
        case .text: try check(row.withBytes(slot) { bind(staticText: $0, place) })
        case .blob: try check(row.withBytes(slot) { bind(staticBlob: $0, place) })
        case .decimal: try bind("\(row.decimal(slot))", place)
        }
    }
}
