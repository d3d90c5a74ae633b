import CofferSQL
import CofferStorage

/// Decodes the rows of a result into packed ``Row``s.
struct PostgreSQLRowDecoder: Sendable {
    private struct Variant: Sendable {
        let entity: Int
        let name: [UInt8]
        let fields: [(kind: ColumnKind, column: Int)]
    }

    private let variants: [Variant]
    private let hasEntity: Bool
    private let tableName: String
    private let columnNames: [String]

    /// The number of columns of the shape.
    var columnCount: Int { columnNames.count }

    init(_ shape: SQLRowShape, in schema: SQLSchema, root: Int) {
        columnNames = shape.columnNames
        tableName = schema.tables[root].name
        hasEntity = shape.hasEntity
        variants = shape.variants.map { variant in
            let kinds = schema.layout.entities[variant.entity].kinds
            return Variant(
                entity: variant.entity, name: Array(PostgreSQLText.kept(variant.name).utf8),
                fields: Array(zip(kinds, variant.columns)))
        }
    }

    /// - Parameter arena: allocates the row.
    /// - Throws: `invalidValue` if the table contains a value that its column cannot have.
    func row(_ result: PostgreSQLResult, _ index: Int, in arena: inout RowArena) throws(StorageError) -> Row {
        let variant = try variant(result, index)
        return try variant.fields.withUnsafeBufferPointer { fields throws(StorageError) in
            try row(result, index, variant.entity, fields, in: &arena)
        }
    }

    /// Calls the closure with every row.
    func forEachRow(
        _ result: PostgreSQLResult, _ body: (consuming Row) throws(StorageError) -> Void
    ) throws(StorageError) {
        var arena = RowArena()
        guard !hasEntity, let only = variants.first else {
            for index in 0..<result.rowCount { try body(try row(result, index, in: &arena)) }
            return
        }
        try only.fields.withUnsafeBufferPointer { fields throws(StorageError) in
            for index in 0..<result.rowCount {
                try body(try row(result, index, only.entity, fields, in: &arena))
            }
        }
    }

    private func row(
        _ result: PostgreSQLResult, _ index: Int, _ entity: Int,
        _ fields: UnsafeBufferPointer<(kind: ColumnKind, column: Int)>, in arena: inout RowArena
    ) throws(StorageError) -> Row {
        var tailSize = 0
        for (kind, column) in fields where kind.isInTail {
            tailSize += kind == .decimal ? Row.decimalTailSize : result.byteCount(index, column)
        }
        let row = RowBuilder(
            entity: entity, key: result.integer(index, 0), version: result.integer(index, 1), slotCount: fields.count,
            tailCapacity: tailSize, in: &arena
        )
        var slot = 0
        for (kind, column) in fields {
            if !write(result, index, column, kind, into: row, slot) {
                throw StorageError(
                    .invalidValue,
                    "'\(tableName).\(columnNames[column])' of row \(result.integer(index, 0)) has a value that "
                        + "does not fit its kind, \(kind.rawValue). Correct or remove the value.")
            }
            slot += 1
        }
        return row.build()
    }

    /// Writes a value into a slot, unless it is null; returns false if the value is not of the kind.
    @inline(__always)
    private func write(
        _ result: PostgreSQLResult, _ index: Int, _ column: Int, _ kind: ColumnKind, into row: borrowing RowBuilder,
        _ slot: Int
    ) -> Bool {
        switch kind {
        case .integer, .reference:
            guard let number = result.word(index, column) else { return result.isNull(index, column) }
            row.write(integer: number, slot)
            return true
        case .double, .date:
            guard let bits = result.word(index, column) else { return result.isNull(index, column) }
            let number = Double(bitPattern: UInt64(bitPattern: bits))
            if number.isNaN { return false }
            row.write(double: number, slot)
            return true
        case .boolean, .text, .blob, .decimal: break
        }
        let bytes = result.bytes(index, column)
        if bytes.isEmpty, result.isNull(index, column) { return true }
        switch kind {
        case .boolean:
            guard bytes.count == 1 else { return false }
            row.write(boolean: bytes[0] != 0, slot)
            return true
        case .decimal: return PostgreSQLNumeric.decimal(bytes).map { row.write(decimal: $0, slot) } ?? false
        case .text where PostgreSQLText.isWritten(bytes):
            return PostgreSQLText.read(bytes).withUnsafeBytes { row.write(bytes: $0, slot) }
        default: return row.write(bytes: bytes, slot)
        }
    }

    private func variant(_ result: PostgreSQLResult, _ index: Int) throws(StorageError) -> Variant {
        if !hasEntity, let only = variants.first { return only }
        // Without variants, no entity has rows, and the shape has no third column.
        if hasEntity {
            let name = result.bytes(index, 2)
            for variant in variants where name.elementsEqual(variant.name) { return variant }
        }
        let name = hasEntity ? PostgreSQLText.string(result.bytes(index, 2)) : ""
        throw StorageError(
            .invalidValue,
            "Row \(result.integer(index, 0)) of '\(tableName)' has the entity '\(name)', "
                + "which has no rows in this model. Correct '\(SQLTable.entity)' or delete the row."
        )
    }
}
