public import CofferStorage

/// Returns the statement that counts the rows of a range, for the choice between its index and the table.
extension SQLQueries {
    /// Returns a statement that finds out whether the range of a request is short.
    ///
    /// - Parameter isSorted: whether the statement sorts the rows of the request.
    /// - Returns: nil if the database needs no help. This is the case if the database has no
    ///   ``SQLDialect/indexMarks``, if an index finds the rows by equality, or if an index of the range also serves
    ///   the order.
    public func probe(_ request: RowRequest, isSorted: Bool = true) -> SQLRangeProbe? {
        guard dialect.indexMarks != nil, let range = SQLIndexUse(schema: schema).onlyRange(of: request),
            isSorted || !range.isOwn
        else { return nil }
        // If the range has more rows than this limit, a scan of the table soon finds enough rows. Fewer rows are
        // sorted in little time.
        let limit = request.limit.map { min(max(512, 16 * min($0, 256)), 4_096) } ?? 4_096
        var builder = SQLStatementBuilder(schema, dialect)
        let scope = builder.scope(range.entity)
        builder.append("SELECT COUNT(*) FROM (SELECT 1 FROM ")
        builder.appendTable(scope)
        builder.append(" WHERE ")
        builder.append(range.condition, in: scope)
        builder.appendLimit(RowRequest(entity: range.entity, limit: limit))
        builder.append(") t")
        guard let statement = try? builder.statement() else { return nil }
        return SQLRangeProbe(statement: statement, limit: limit, isOrderedByKey: request.order.isEmpty)
    }
}
