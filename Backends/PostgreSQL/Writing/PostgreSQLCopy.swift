import CofferSQL
import CofferStorage

/// Writes rows or links of one table with the binary format of `COPY`.
struct PostgreSQLCopy {
    /// The statement, after which the server waits for the bytes.
    let text: String
    private let kinds: [ColumnKind]
    /// The name of the entity, if the table has a column for it.
    private let name: [UInt8]?

    /// The approximate number of bytes that are sent at once.
    private static let chunkSize = 1 << 16
    /// The header: the signature, no flags, and no extension.
    private static let header: [UInt8] =
        Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [UInt8](repeating: 0, count: 8)

    init(_ schema: SQLSchema, entity: Int) {
        let (table, layout) = (schema.tables[entity], schema.layout.entities[entity])
        text = Self.text(table.name, SQLBulkStatements(schema, PostgreSQLDialect()).columns(entity: entity))
        kinds = layout.kinds
        name = table.hasEntityColumn ? Array(PostgreSQLText.kept(layout.name).utf8) : nil
    }

    private static func text(_ table: String, _ columns: [String]) -> String {
        let dialect = PostgreSQLDialect()
        return "COPY \(dialect.quoted(table)) (\(columns.map(dialect.quoted).joined(separator: ", ")))"
            + " FROM STDIN (FORMAT binary)"
    }

    /// Adds rows to the table; adds none if the server refuses one of them.
    ///
    /// - Parameter version: the version of all rows; nil for the version of each row.
    func run(
        _ rows: some Collection<Row>, version: Int64? = nil, on connection: PostgreSQLConnection
    ) throws(StorageError) {
        try Self.run(text, rows, on: connection) { append($0, version ?? $0.version, to: &$1) }
    }

    /// Adds links to their table, each in its stored form.
    static func run(
        _ links: some Collection<ChangeSet.Link>, into table: Int, of schema: SQLSchema,
        on connection: PostgreSQLConnection
    ) throws(StorageError) {
        let link = schema.links[table]
        let columns = link.columnNames
        try run(text(link.name, columns), links, on: connection) { one, bytes in
            bytes.append(bigEndian: Int16(truncatingIfNeeded: columns.count))
            bytes.append(field: one.first)
            bytes.append(field: one.second)
            if link.firstPosition != nil { bytes.append(position: one.firstPosition) }
            if link.secondPosition != nil { bytes.append(position: one.secondPosition) }
        }
    }

    private static func run<Element>(
        _ text: String, _ elements: some Collection<Element>, on connection: PostgreSQLConnection,
        _ append: (Element, inout [UInt8]) -> Void
    ) throws(StorageError) {
        try connection.copy(text) { send throws(StorageError) in
            var bytes = header
            bytes.reserveCapacity(chunkSize + chunkSize / 4)
            for element in elements {
                append(element, &bytes)
                guard bytes.count >= chunkSize else { continue }
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
