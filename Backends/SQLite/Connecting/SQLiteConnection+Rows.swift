import CofferStorage

extension SQLiteConnection {
    /// Returns the cached statement for a string that selects rows; prepares another one if it is running.
    ///
    /// If the string begins as the maker expects, the statement returns rows by ``SQLiteRowFunction``. Otherwise, or
    /// if the function cannot have so many arguments, it returns columns, and has no ``SQLiteStatement/sink``.
    func rowStatement(_ text: String, _ maker: any SQLiteRowMaker) throws(StorageError) -> SQLiteStatement {
        try rowStatements.statement(text) { () throws(StorageError) in
            let beginning = "SELECT \(maker.selection) FROM "
            if text.utf8.starts(with: beginning.utf8) {
                let rest = text[text.utf8.index(text.startIndex, offsetBy: beginning.utf8.count)...]
                let packed = "SELECT \(SQLiteRowFunction.name)(\(maker.selection)) FROM \(rest)"
                let sink = SQLiteRowSink(rowTarget)
                if let statement = try? SQLiteStatement(text, as: packed, sink, on: self) { return statement }
            }
            return try SQLiteStatement(text, on: self)
        }
    }

    /// Prepares the statement that returns columns, and caches it, because the row function cannot serve it.
    func columnStatement(_ text: String) throws(StorageError) -> SQLiteStatement {
        let statement = try SQLiteStatement(text, on: self)
        rowStatements.keep(statement)
        return statement
    }
}
