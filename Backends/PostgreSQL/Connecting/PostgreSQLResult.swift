import CofferCLibPQ

/// The result of one statement: rows in binary form.
final class PostgreSQLResult {
    private let pointer: OpaquePointer
    let rowCount: Int

    init(_ pointer: OpaquePointer) {
        self.pointer = pointer
        rowCount = Int(PQntuples(pointer))
    }

    deinit { PQclear(pointer) }

    /// The bytes that the result takes in memory.
    var size: Int { PQresultMemorySize(pointer) }

    /// The command that the server executed, such as `COMMIT` or `ROLLBACK`.
    var command: String { String(cString: PQcmdStatus(pointer)) }

    func type(_ column: Int) -> UInt32 { PQftype(pointer, Int32(truncatingIfNeeded: column)) }

    @inline(__always)
    func isNull(_ row: Int, _ column: Int) -> Bool {
        PQgetisnull(pointer, Int32(truncatingIfNeeded: row), Int32(truncatingIfNeeded: column)) == 1
    }

    /// Returns the bytes of a value that is not null, valid as long as the result.
    @inline(__always)
    func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer {
        let (row, column) = (Int32(truncatingIfNeeded: row), Int32(truncatingIfNeeded: column))
        return UnsafeRawBufferPointer(
            start: PQgetvalue(pointer, row, column), count: Int(PQgetlength(pointer, row, column)))
    }

    /// Returns the number of bytes of a value; 0 for null.
    @inline(__always)
    func byteCount(_ row: Int, _ column: Int) -> Int {
        Int(PQgetlength(pointer, Int32(truncatingIfNeeded: row), Int32(truncatingIfNeeded: column)))
    }

    /// Returns a value of eight bytes; nil for null and for values of another size.
    @inline(__always)
    func word(_ row: Int, _ column: Int) -> Int64? {
        let (row, column) = (Int32(truncatingIfNeeded: row), Int32(truncatingIfNeeded: column))
        guard PQgetlength(pointer, row, column) == 8, let start = PQgetvalue(pointer, row, column) else { return nil }
        return Int64(bigEndian: UnsafeRawPointer(start).loadUnaligned(as: Int64.self))
    }

    /// Returns a `bigint`; 0 for null.
    @inline(__always)
    func integer(_ row: Int, _ column: Int) -> Int64 { word(row, column) ?? 0 }

    /// Returns a string; nil for null.
    func string(_ row: Int, _ column: Int) -> String? {
        isNull(row, column) ? nil : PostgreSQLText.string(bytes(row, column))
    }

    /// The keys in the first column.
    var keys: [Int64] { (0..<rowCount).map { integer($0, 0) } }

    /// Whether each key in the first column is greater than the key before.
    var hasAscendingKeys: Bool {
        var last = Int64.min
        for row in 0..<rowCount {
            let key = integer(row, 0)
            guard key > last else { return false }
            last = key
        }
        return true
    }
}
