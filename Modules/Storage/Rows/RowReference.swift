/// A row that is kept alive by hand, so that looking at it costs no reference counting.
///
/// Whoever makes one releases it once.
@frozen
@usableFromInline
package struct RowReference {
    @usableFromInline let buffer: Unmanaged<RowBuffer>

    /// Keeps the row alive until ``release()``.
    @inlinable
    package init(retaining row: Row) {
        buffer = Unmanaged.passRetained(row.buffer)
    }

    /// Lets go of the row.
    @inlinable
    package func release() {
        buffer.release()
    }

    /// The row, held in the ordinary way.
    @inlinable
    package var row: Row { Row(buffer.takeUnretainedValue()) }

    /// Calls the closure with the row.
    @inlinable
    @inline(__always)
    package func lent<Result>(_ body: (Row) -> Result) -> Result {
        buffer._withUnsafeGuaranteedRef { body(Row($0)) }
    }
}
