import CofferSQL
import CofferStorage

/// Rows of an entity on their way into its table by `COPY`, in binary form.
struct PostgreSQLCopy {
    /// The statement, after which the server waits for the bytes.
    let text: String
    private let kinds: [ColumnKind]
    /// The name of the entity, where the table has a column for it.
    private let name: [UInt8]?

    /// Bytes that are sent at once, about.
    private static let chunkSize = 1 << 16
    /// The signature, no flags, and no extension.
    private static let header: [UInt8] =
        Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [UInt8](repeating: 0, count: 8)

    init(_ schema: SQLSchema, entity: Int) {
        let (dialect, table) = (PostgreSQLDialect(), schema.tables[entity])
        let layout = schema.layout.entities[entity]
        let slots = (table.columnsOfSlots[entity] ?? []).map { table.columns[$0].name }
        let names = [SQLTable.key] + slots + [SQLTable.version] + (table.hasEntityColumn ? [SQLTable.entity] : [])
        text =
            "COPY \(dialect.quoted(table.name)) (\(names.map(dialect.quoted).joined(separator: ", ")))"
            + " FROM STDIN (FORMAT binary)"
        kinds = layout.kinds
        name = table.hasEntityColumn ? Array(PostgreSQLText.kept(layout.name).utf8) : nil
    }

    /// Adds rows to the table; nothing is added when the server refuses one.
    ///
    /// - Parameter version: the version that all of them get; nil for their own.
    func run(
        _ rows: some Collection<Row>, version: Int64? = nil, on connection: PostgreSQLConnection
    ) throws(StorageError) {
        try connection.copy(text) { send throws(StorageError) in
            var bytes = Self.header
            bytes.reserveCapacity(Self.chunkSize + Self.chunkSize / 4)
            for row in rows {
                append(row, version ?? row.version, to: &bytes)
                guard bytes.count >= Self.chunkSize else { continue }
                try send(bytes)
                bytes.removeAll(keepingCapacity: true)
            }
            bytes.append(bigEndian: Int16(-1))
            try send(bytes)
        }
    }

    private func append(_ row: Row, _ version: Int64, to bytes: inout [UInt8]) {
        bytes.append(bigEndian: Int16(truncatingIfNeeded: kinds.count + (name == nil ? 2 : 3)))
        bytes.append(field: row.key)
        for (slot, kind) in kinds.enumerated() { bytes.append(field: slot, kind, of: row) }
        bytes.append(field: version)
        guard let name else { return }
        bytes.append(bigEndian: Int32(truncatingIfNeeded: name.count))
        bytes += name
    }
}
