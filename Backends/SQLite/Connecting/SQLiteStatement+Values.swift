import CofferStorage

/// Converts columns of a result to values, and binds values to the parameters of a statement.
extension SQLiteStatement {
    /// Binds a value in the form in which the database stores its kind.
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

    /// Returns the keys in the first column of all remaining rows.
    func keys() throws(StorageError) -> [Int64] {
        defer { reset() }
        var keys: [Int64] = []
        while try step() { keys.append(integer(0)) }
        return keys
    }

    /// Binds a slot directly from the memory of a row, which must outlive the statement's run.
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
