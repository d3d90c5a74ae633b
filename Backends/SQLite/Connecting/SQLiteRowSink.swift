import CofferStorage

/// Keeps the rows that the function ``SQLiteRowFunction`` creates, until the statement returns them.
///
/// The result of the function is the number of the row. If the statement sorts, SQLite calls the function for all rows
/// before it returns the first row, and then returns the numbers in the order of the rows. If it does not sort, SQLite
/// calls the function once before it returns a row.
final class SQLiteRowSink {
    /// A reference to a maker that is read without counting a reference.
    private final class Holder {
        let maker: any SQLiteRowMaker

        init(_ maker: any SQLiteRowMaker) { self.maker = maker }
    }

    private let target: SQLiteRowTarget
    // Exclusivity is not checked at run time: no access to one of these properties calls other code.
    @exclusivity(unchecked) private var holder: Holder?
    /// The same holder, without reference counting.
    @exclusivity(unchecked) private var uncounted: Unmanaged<Holder>?
    @exclusivity(unchecked) private var isLimited = false
    @exclusivity(unchecked) private var arena = RowArena()
    @exclusivity(unchecked) private var first: Row?
    @exclusivity(unchecked) private var others: [Row?] = []
    @exclusivity(unchecked) private var failures: [Int: StorageError] = [:]
    /// The number of rows since the last time that all rows were returned.
    @exclusivity(unchecked) private var count = 0
    /// The number of rows that were not returned yet.
    @exclusivity(unchecked) private var waiting = 0
    @exclusivity(unchecked) private var hasReturnedRows = false
    /// Whether the statement sorts, and has ended for this reason.
    ///
    /// A statement with a limit sorts more rows than it returns. It is better to create only the returned rows.
    @exclusivity(unchecked) private(set) var hasRefusedToSort = false

    init(_ target: SQLiteRowTarget) { self.target = target }

    /// Prepares for a run of the statement.
    ///
    /// - Parameter isLimited: whether the statement may return fewer rows than it finds.
    func begin(_ maker: any SQLiteRowMaker, isLimited: Bool) {
        if holder?.maker !== maker {
            let holder = Holder(maker)
            self.holder = holder
            uncounted = .passUnretained(holder)
        }
        self.isLimited = isLimited
        hasReturnedRows = false
        hasRefusedToSort = false
    }

    /// Discards the rows that were not returned.
    func end() {
        arena.clear()
        guard count > 0 else { return }
        first = nil
        others = []
        failures = [:]
        count = 0
        waiting = 0
    }

    /// Runs a step of the statement; this sink receives the calls of the row function.
    @inline(__always)
    func during<Result>(_ step: () throws(StorageError) -> Result) throws(StorageError) -> Result {
        target.sink = Unmanaged.passUnretained(self)
        defer { target.sink = nil }
        return try step()
    }

    /// Creates a row from the arguments of the function.
    ///
    /// If this fails, the statement continues, and the error is thrown in place of the row.
    ///
    /// - Returns: the number of the row; nil to end the statement.
    func receive(_ arguments: SQLiteColumns, count argumentCount: Int32) -> Int64? {
        uncounted?._withUnsafeGuaranteedRef { receive(arguments, count: argumentCount, for: $0.maker) }
    }

    @inline(__always)
    private func receive(
        _ arguments: SQLiteColumns, count argumentCount: Int32, for maker: any SQLiteRowMaker
    ) -> Int64? {
        guard argumentCount == maker.columnCount else { return nil }
        if count > 0, isLimited, !hasReturnedRows {
            hasRefusedToSort = true
            return nil
        }
        var row: Row?
        do throws(StorageError) { row = try maker.row(arguments, in: &arena) } catch { failures[count] = error }
        if count == 0 { first = row } else { others.append(row) }
        count += 1
        waiting += 1
        return Int64(count - 1)
    }

    /// Returns the row that a statement has just returned.
    @inline(__always)
    func row(_ statement: SQLiteStatement) throws(StorageError) -> Row {
        hasReturnedRows = true
        if count == 1, let row = first {
            first = nil
            count = 0
            waiting = 0
            return row
        }
        return try sortedRow(statement)
    }

    @inline(never)
    private func sortedRow(_ statement: SQLiteStatement) throws(StorageError) -> Row {
        let number = count == 1 ? 0 : Int(truncatingIfNeeded: statement.integer(0))
        let row = number == 0 ? first : others.indices.contains(number - 1) ? others[number - 1] : nil
        let failure = failures.removeValue(forKey: number)
        if number == 0 { first = nil } else if row != nil { others[number - 1] = nil }
        waiting -= 1
        if waiting <= 0 { end() }
        guard let row else { throw failure ?? StorageError(.failed, "SQLite returned a row twice. Try again.") }
        return row
    }
}
