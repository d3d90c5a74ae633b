import CofferCSQLite
import CofferSQL
import CofferStorage
import Foundation

/// A prepared statement: binds parameters, steps through rows and reads columns.
///
/// Parameters are counted from 1 and columns from 0, as in SQLite.
final class SQLiteStatement {
    let text: String
    /// The sink for the rows of the row function; nil if the statement returns columns.
    let sink: SQLiteRowSink?
    @exclusivity(unchecked) var lastUse = 0

    private let pointer: OpaquePointer
    private unowned let connection: SQLiteConnection
    private let onStatement: (@Sendable (String) -> Void)?
    /// Room for the pointers to the values of a row's columns.
    @exclusivity(unchecked) private var columnValues = UnsafeMutableBufferPointer<OpaquePointer?>(start: nil, count: 0)
    /// Whether the statement is not in the middle of a run.
    @exclusivity(unchecked) private(set) var isFresh = true

    /// - Parameter form: the string that SQLite runs in place of `text`; nil for `text` itself.
    init(
        _ text: String, as form: String? = nil, _ sink: SQLiteRowSink? = nil, on connection: SQLiteConnection
    ) throws(StorageError) {
        var form = form ?? text
        var prepared: OpaquePointer?
        let code = form.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) { characters in
                sqlite3_prepare_v3(
                    connection.handle, characters.baseAddress, Int32(clamping: characters.count),
                    UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil
                )
            }
        }
        guard code == SQLITE_OK, let prepared else { throw connection.failure(code) }
        pointer = prepared
        self.text = text
        self.sink = sink
        self.connection = connection
        onStatement = connection.onStatement
    }

    deinit {
        columnValues.deallocate()
        sqlite3_finalize(pointer)
    }

    /// Moves to the next row; returns false if there is none.
    @inline(__always)
    func step() throws(StorageError) -> Bool {
        if isFresh {
            isFresh = false
            onStatement?(text)
        }
        switch sqlite3_step(pointer) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw connection.failure(code)
        }
    }

    /// Runs a statement that returns nothing, resets it for the next run, and returns SQLite's code.
    @inline(__always)
    func perform() -> SQLiteResultCode {
        onStatement?(text)
        let code = sqlite3_step(pointer)
        sqlite3_reset(pointer)
        return SQLiteResultCode(code)
    }

    /// Resets the statement for the next run; the bindings stay.
    @inline(__always)
    func reset() {
        sqlite3_reset(pointer)
        sink?.end()
        isFresh = true
    }

    // MARK: Binding

    @inline(__always) func bindNull(_ place: Int32) { sqlite3_bind_null(pointer, place) }
    @inline(__always) func bind(_ integer: Int64, _ place: Int32) { sqlite3_bind_int64(pointer, place, integer) }
    @inline(__always) func bind(_ double: Double, _ place: Int32) { sqlite3_bind_double(pointer, place, double) }

    /// Binds a string without a copy; its bytes must stay in place until the statement has run.
    @inline(__always)
    func bind(staticText bytes: UnsafeBufferPointer<UInt8>, _ place: Int32) -> SQLiteResultCode {
        bytes.withMemoryRebound(to: CChar.self) {
            SQLiteResultCode(
                sqlite3_bind_text64(pointer, place, $0.baseAddress, UInt64($0.count), nil, UInt8(SQLITE_UTF8)))
        }
    }

    /// Binds bytes without a copy; they must stay in place until the statement has run.
    @inline(__always)
    func bind(staticBlob bytes: UnsafeBufferPointer<UInt8>, _ place: Int32) -> SQLiteResultCode {
        SQLiteResultCode(sqlite3_bind_blob64(pointer, place, bytes.baseAddress, UInt64(bytes.count), nil))
    }

    /// Binds a copy of a string.
    func bind(_ text: String, _ place: Int32) throws(StorageError) {
        var text = text
        let code = text.withUTF8 { utf8 in
            guard utf8.count > 0 else { return sqlite3_bind_text(pointer, place, "", 0, nil) }
            return utf8.withMemoryRebound(to: CChar.self) {
                sqlite3_bind_text64(
                    pointer, place, $0.baseAddress, UInt64($0.count), coffer_sqlite_transient(), UInt8(SQLITE_UTF8))
            }
        }
        guard code == SQLITE_OK else { throw connection.failure(code) }
    }

    /// Binds a copy of some bytes.
    func bind(_ data: Data, _ place: Int32) throws(StorageError) {
        let code = data.withUnsafeBytes { bytes in
            guard bytes.count > 0 else { return sqlite3_bind_zeroblob(pointer, place, 0) }
            return sqlite3_bind_blob64(
                pointer, place, bytes.baseAddress, UInt64(bytes.count), coffer_sqlite_transient())
        }
        guard code == SQLITE_OK else { throw connection.failure(code) }
    }

    /// Binds a link to the parameters in the order of ``SQLLinkTable/columnNames``.
    func bind(_ link: ChangeSet.Link, of table: SQLLinkTable) {
        bind(link.first, 1)
        bind(link.second, 2)
        if table.firstPosition != nil { bind(link.firstPosition, 3) }
        if table.secondPosition != nil { bind(link.secondPosition, table.firstPosition == nil ? 3 : 4) }
    }

    /// Binds the places of a link to the first parameters, and its keys to the following parameters.
    func bind(moved link: ChangeSet.Link, of table: SQLLinkTable) {
        var place: Int32 = 1
        if table.firstPosition != nil {
            bind(link.firstPosition, place)
            place += 1
        }
        if table.secondPosition != nil {
            bind(link.secondPosition, place)
            place += 1
        }
        bind(link.first, place)
        bind(link.second, place + 1)
    }

    private func bind(_ position: Int64?, _ place: Int32) {
        if let position { bind(position, place) } else { bindNull(place) }
    }

    @inline(__always)
    func check(_ code: SQLiteResultCode) throws(StorageError) {
        guard code.isSuccess else { throw connection.failure(code) }
    }

    // MARK: Reading

    /// Returns a column of the current row.
    @inline(__always)
    func column(_ column: Int32) -> SQLiteColumn { SQLiteColumn(sqlite3_column_value(pointer, column)) }

    /// Returns the first columns of the current row.
    ///
    /// SQLite looks up each column once. Reads of several columns would otherwise look up some of them repeatedly.
    @inline(__always)
    func columns(_ count: Int32) -> SQLiteColumns {
        let values = columnValues.count >= count ? columnValues : makeColumnValues(Int(count))
        for column in 0..<count { values[Int(column)] = sqlite3_column_value(pointer, column) }
        return SQLiteColumns(values)
    }

    @inline(never)
    private func makeColumnValues(_ count: Int) -> UnsafeMutableBufferPointer<OpaquePointer?> {
        columnValues.deallocate()
        columnValues = .allocate(capacity: count)
        columnValues.initialize(repeating: nil)
        return columnValues
    }

    @inline(__always) func type(_ column: Int32) -> Int32 { sqlite3_column_type(pointer, column) }
    @inline(__always) func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(pointer, column) }

    /// Returns a number; nil for null.
    func optionalInteger(_ column: Int) -> Int64? {
        type(Int32(column)) == SQLITE_NULL ? nil : integer(Int32(column))
    }

    /// Returns a column as a string; nil for null.
    func string(_ column: Int32) -> String? {
        type(column) == SQLITE_NULL ? nil : String(decoding: self.column(column).textBytes, as: UTF8.self)
    }
}
