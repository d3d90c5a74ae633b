import CBenchmarkPostgreSQL

/// The result of a statement, in binary form.
final class LibPQResult {
    private let result: OpaquePointer?
    let rowCount: Int32

    init(_ result: OpaquePointer?) {
        self.result = result
        rowCount = PQntuples(result)
    }

    deinit { PQclear(result) }

    /// The number of bytes of a value.
    @inline(__always)
    func size(_ row: Int32, _ column: Int32) -> Int { Int(PQgetlength(result, row, column)) }

    @inline(__always)
    func integer(_ row: Int32, _ column: Int32) -> Int {
        Int(Int64(bigEndian: bits(row, column)))
    }

    @inline(__always)
    func double(_ row: Int32, _ column: Int32) -> Double {
        Double(bitPattern: UInt64(bitPattern: Int64(bigEndian: bits(row, column))))
    }

    @inline(__always)
    func boolean(_ row: Int32, _ column: Int32) -> Bool { PQgetvalue(result, row, column)?.pointee == 1 }

    @inline(__always)
    func text(_ row: Int32, _ column: Int32) -> String {
        let bytes = UnsafeRawBufferPointer(
            start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column)))
        return String(decoding: bytes, as: UTF8.self)
    }

    @inline(__always)
    func textOrNil(_ row: Int32, _ column: Int32) -> String? {
        PQgetisnull(result, row, column) == 1 ? nil : text(row, column)
    }

    @inline(__always)
    private func bits(_ row: Int32, _ column: Int32) -> Int64 {
        UnsafeRawPointer(PQgetvalue(result, row, column))?.loadUnaligned(as: Int64.self) ?? 0
    }
}
