import CofferCSQLite
import CofferEvaluation
import CofferStorage
import Foundation

/// Converts columns of a result to values, and binds values to the parameters of a statement.
extension SQLiteStatement {
    /// A column as a value of a kind; nil when it is not null and cannot be one.
    ///
    /// - Parameter kind: nil for a number of either kind.
    func converted(_ column: Int32, to kind: ColumnKind?) -> Value? {
        let type = type(column)
        if type == SQLITE_NULL { return .null }
        // Reading the blob as text would change its type.
        if type == SQLITE_BLOB, kind != .blob, kind != .text, isOverflow(column) { return nil }
        guard let kind else {
            return converted(column, to: type == SQLITE_FLOAT ? .double : .integer)?.joiningIntegers
        }
        switch kind {
        case .text: return .text(String(decoding: textBytes(column), as: UTF8.self))
        case .blob: return .blob(Data(blobBytes(column)))
        case .decimal: return DecimalText.decimal(textBytes(column)).map(Value.decimal)
        case .double: return number(column, type).map(Value.double)
        case .date: return number(column, type).map(Value.date)
        case .integer, .reference: return whole(column, type).map(Value.integer)
        case .boolean: return whole(column, type).map { .boolean($0 != 0) }
        }
    }

    /// Whether a column is a sum that its kind cannot hold.
    func isOverflow(_ column: Int32) -> Bool {
        type(column) == SQLITE_BLOB && blobBytes(column).elementsEqual(SQLiteTotal.overflow)
    }

    private func number(_ column: Int32, _ type: Int32) -> Double? {
        if type == SQLITE_FLOAT || type == SQLITE_INTEGER { return double(column) }
        return Double(string(column) ?? "").flatMap { $0.isNaN ? nil : $0 }
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
        case .integer(let number): bind(number, place)
        case .double(let number), .date(let number): bind(number, place)
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
        case .integer, .reference: bind(row.integer(slot), place)
        case .boolean: bind(row.boolean(slot) ? 1 as Int64 : 0, place)
        case .double, .date: bind(row.double(slot), place)
        case .text: try check(row.withBytes(slot) { bind(staticText: $0, place) })
        case .blob: try check(row.withBytes(slot) { bind(staticBlob: $0, place) })
        case .decimal: try bind("\(row.decimal(slot))", place)
        }
    }
}
