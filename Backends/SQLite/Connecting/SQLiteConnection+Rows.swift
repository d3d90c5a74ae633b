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

    /// Calls the closure with the columns of each row of a table, during one step of a statement.
    ///
    /// The closure may run other statements on this connection.
    ///
    /// - Parameters:
    ///   - text: the statement that returns the columns, for the log. It also runs if the table has more columns than a
    ///     function may have arguments; then the closure is called between its steps.
    ///   - form: the same statement with ``SQLiteVisitFunction`` as its condition.
    ///   - count: the number of columns.
    func visitRows(
        _ text: String, as form: String, count: Int32, _ body: (SQLiteColumns) throws(StorageError) -> Void
    ) throws(StorageError) {
        guard count <= argumentLimit else {
            let statement = try statement(text)
            defer { statement.reset() }
            while try statement.step() { try body(statement.columns(count)) }
            return
        }
        let statement = try visitStatements.statement(text) { () throws(StorageError) in
            try SQLiteStatement(text, as: form, on: self)
        }
        let outer = rowTarget.visitor
        defer {
            rowTarget.visitor = outer
            statement.reset()
        }
        let failure = withoutActuallyEscaping(body) { body -> StorageError? in
            let visitor = SQLiteRowVisitor(body)
            return withExtendedLifetime(visitor) {
                rowTarget.visitor = .passUnretained(visitor)
                do throws(StorageError) {
                    _ = try statement.step()
                    return nil
                } catch {
                    return visitor.failure ?? error
                }
            }
        }
        if let failure { throw failure }
    }
}
