/// A row that is kept alive by hand, so that looking at it costs no reference counting.
///
/// Whoever retains one releases it once.
@frozen
@usableFromInline
package struct RowReference {
    @usableFromInline let buffer: Unmanaged<RowBuffer>

    /// Keeps the row alive until ``release()``.
    @inlinable
    package init(retaining row: consuming Row) {
        buffer = Unmanaged.passRetained(row.buffer)
    }

    /// Keeps the row alive once more.
    @inlinable
    package func retain() {
        _ = buffer.retain()
    }

    /// Lets go of the row.
    @inlinable
    package func release() {
        buffer.release()
    }

    /// The row, held in the ordinary way.
    @inlinable
    package var row: Row { Row(buffer.takeUnretainedValue()) }

    @inlinable
    @inline(__always)
    var head: RowHeader { buffer._withUnsafeGuaranteedRef { Row($0).head } }

    /// What ``Row/key`` says.
    @inlinable
    @inline(__always)
    package var key: Int64 { head.key }

    /// What ``Row/version`` says.
    @inlinable
    @inline(__always)
    package var version: Int64 { head.version }

    /// What ``Row/entity`` says.
    @inlinable
    @inline(__always)
    package var entity: Int { Int(head.entity) }

    /// Calls the closure with the row.
    @inlinable
    @inline(__always)
    package func lent<Result>(_ body: (Row) -> Result) -> Result {
        buffer._withUnsafeGuaranteedRef { body(Row($0)) }
    }

    /// Whether nothing else has the row.
    @inlinable
    @inline(__always)
    package var isUnique: Bool {
        // A copy, so that the object whose row it is need not be retained for the access.
        var buffer = buffer
        return withUnsafeMutableBytes(of: &buffer) {
            isKnownUniquelyReferenced(&$0.assumingMemoryBound(to: RowBuffer.self)[0])
        }
    }

    /// Lets the closure write into the row, which must be unique.
    @inlinable
    @inline(__always)
    package func edit(_ body: (borrowing RowBuilder) -> Bool) -> Bool {
        let builder = RowBuilder(buffer)
        let result = body(builder)
        builder.end()
        return result
    }
}
