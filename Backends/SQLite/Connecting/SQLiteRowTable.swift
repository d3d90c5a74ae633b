import CofferCSQLite
import CofferStorage

/// The virtual table `coffer_rows`: rows in memory, which one statement inserts into a table, or joins with a table.
///
/// The first column of the virtual table is the key of a row. The other columns are its slots, without the version.
// Not Sendable: only the thread that uses the connection uses the table.
final class SQLiteRowTable {
    static let name = "coffer_rows"

    /// The rows of the running statement; empty if no statement runs.
    struct Source {
        var rows = UnsafeBufferPointer<ChangeSet.Insert>(start: nil, count: 0)
        var kinds = UnsafeBufferPointer<ColumnKind>(start: nil, count: 0)
    }

    /// A table in the layout that SQLite requires; the field of SQLite comes first.
    private struct Table {
        var base = sqlite3_vtab()
        let source: UnsafeMutablePointer<Source>
    }

    /// A cursor in the layout that SQLite requires; the field of SQLite comes first.
    private struct Cursor {
        var base = sqlite3_vtab_cursor()
        let source: UnsafeMutablePointer<Source>
        var index = 0
        var count = 0
        /// The current row, if the index is less than the count.
        var row: UnsafePointer<ChangeSet.Insert>?
        var kinds: UnsafePointer<ColumnKind>?
        var slotCount = 0

        init(_ source: UnsafeMutablePointer<Source>) { self.source = source }

        mutating func start() {
            let source = source.pointee
            (index, count, row) = (0, source.rows.count, source.rows.baseAddress)
            (kinds, slotCount) = (source.kinds.baseAddress, source.kinds.count)
        }

        @inline(__always)
        mutating func move() {
            index &+= 1
            row = row.map { $0 + 1 }
        }
    }

    private let source = UnsafeMutablePointer<Source>.allocate(capacity: 1)
    private let module = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
    private let columnCount: Int

    /// - Parameter columnCount: the number of columns, the key included.
    private init(columnCount: Int) {
        self.columnCount = columnCount
        source.initialize(to: Source())
        module.initialize(to: Self.makeModule())
    }

    deinit {
        source.deallocate()
        module.deallocate()
    }

    /// Adds the table to a connection.
    ///
    /// - Returns: the table, which lives at least as long as the connection; nil if SQLite refuses it.
    static func register(on connection: SQLiteConnection, columnCount: Int) -> SQLiteRowTable? {
        let table = SQLiteRowTable(columnCount: columnCount)
        // SQLite also calls the last closure if it refuses the module.
        let code = sqlite3_create_module_v2(
            connection.handle, name, table.module, Unmanaged.passRetained(table).toOpaque()
        ) { table in
            if let table { Unmanaged<SQLiteRowTable>.fromOpaque(table).release() }
        }
        return code == SQLITE_OK ? table : nil
    }

    /// Calls a closure that runs a statement over rows of one entity.
    ///
    /// - Parameter kinds: the kinds of the slots.
    func holding<Success, Failure: Error>(
        _ rows: ArraySlice<ChangeSet.Insert>, _ kinds: [ColumnKind], _ body: () throws(Failure) -> Success
    ) throws(Failure) -> Success {
        try rows.withUnsafeBufferPointer { rows throws(Failure) in
            try kinds.withUnsafeBufferPointer { kinds throws(Failure) in
                source.pointee = Source(rows: rows, kinds: kinds)
                defer { source.pointee = Source() }
                return try body()
            }
        }
    }

    /// Returns the name of a column, counted from 0.
    static func column(_ index: Int) -> String { "c\(index)" }

    // MARK: Calls of SQLite

    private static func makeModule() -> sqlite3_module {
        var module = sqlite3_module()
        // Without `xCreate`, the table exists in every database, and in no file.
        module.xConnect = { handle, table, _, _, result, _ in
            guard let table, let result else { return SQLITE_MISUSE }
            return Unmanaged<SQLiteRowTable>.fromOpaque(table).takeUnretainedValue().connect(handle, result)
        }
        module.xBestIndex = { _, info in
            info?.pointee.estimatedCost = 1
            info?.pointee.estimatedRows = 1_000
            return SQLITE_OK
        }
        module.xDisconnect = { table in
            table.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: Table.self).deallocate() }
            return SQLITE_OK
        }
        module.xOpen = { table, result in
            guard let table, let result else { return SQLITE_MISUSE }
            let source = UnsafeMutableRawPointer(table).assumingMemoryBound(to: Table.self).pointee.source
            let cursor = UnsafeMutablePointer<Cursor>.allocate(capacity: 1)
            cursor.initialize(to: Cursor(source))
            result.pointee = UnsafeMutableRawPointer(cursor).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
            return SQLITE_OK
        }
        module.xClose = { cursor in
            cursor.map { SQLiteRowTable.cursor($0).deallocate() }
            return SQLITE_OK
        }
        module.xFilter = { cursor, _, _, _, _ in
            cursor.map { SQLiteRowTable.cursor($0).pointee.start() }
            return SQLITE_OK
        }
        module.xNext = { cursor in
            cursor.map { SQLiteRowTable.cursor($0).pointee.move() }
            return SQLITE_OK
        }
        module.xEof = { cursor in
            guard let cursor = cursor.map(SQLiteRowTable.cursor) else { return 1 }
            return cursor.pointee.index < cursor.pointee.count ? 0 : 1
        }
        module.xColumn = { cursor, context, column in
            if let cursor { SQLiteRowTable.column(SQLiteRowTable.cursor(cursor), Int(column), context) }
            return SQLITE_OK
        }
        module.xRowid = { cursor, result in
            if let cursor { result?.pointee = Int64(SQLiteRowTable.cursor(cursor).pointee.index) }
            return SQLITE_OK
        }
        return module
    }

    @inline(__always)
    private static func cursor(_ base: UnsafeMutablePointer<sqlite3_vtab_cursor>) -> UnsafeMutablePointer<Cursor> {
        UnsafeMutableRawPointer(base).assumingMemoryBound(to: Cursor.self)
    }

    private func connect(
        _ handle: OpaquePointer?, _ result: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>
    ) -> Int32 {
        let columns = (0..<columnCount).map(Self.column).joined(separator: ", ")
        let code = sqlite3_declare_vtab(handle, "CREATE TABLE \(Self.name) (\(columns))")
        guard code == SQLITE_OK else { return code }
        let table = UnsafeMutablePointer<Table>.allocate(capacity: 1)
        table.initialize(to: Table(source: source))
        result.pointee = UnsafeMutableRawPointer(table).assumingMemoryBound(to: sqlite3_vtab.self)
        return SQLITE_OK
    }

    /// Passes a column of the current row to SQLite without a copy, because the row outlives the statement's run.
    @inline(__always)
    private static func column(_ cursor: UnsafeMutablePointer<Cursor>, _ column: Int, _ context: OpaquePointer?) {
        guard let insert = cursor.pointee.row, let kinds = cursor.pointee.kinds,
            cursor.pointee.index < cursor.pointee.count
        else { return }
        // An insert consists of its row.
        let address = UnsafeRawPointer(insert).assumingMemoryBound(to: Row.self)
        Row.withUnretained(address) { row in
            if column == 0 { return sqlite3_result_int64(context, row.key) }
            let slot = column &- 1
            guard slot < cursor.pointee.slotCount else { return }
            let isNull = slot < 64 ? row.nullWord >> UInt64(truncatingIfNeeded: slot) & 1 != 0 : row.isNull(slot)
            if isNull { return }
            switch kinds[slot] {
            case .integer, .reference: sqlite3_result_int64(context, row.integer(slot))
            case .boolean: sqlite3_result_int64(context, row.boolean(slot) ? 1 : 0)
            case .double, .date: sqlite3_result_double(context, row.double(slot))
            case .text:
                row.withBytes(slot) { bytes in
                    bytes.withMemoryRebound(to: CChar.self) {
                        sqlite3_result_text64(context, $0.baseAddress, UInt64($0.count), nil, UInt8(SQLITE_UTF8))
                    }
                }
            case .blob:
                row.withBytes(slot) { sqlite3_result_blob64(context, $0.baseAddress, UInt64($0.count), nil) }
            case .decimal:
                sqlite3_result_text(context, "\(row.decimal(slot))", -1, coffer_sqlite_transient())
            }
        }
    }
}
