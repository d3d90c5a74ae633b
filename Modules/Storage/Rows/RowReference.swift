/// A reference to a row without automatic reference counting; its owner calls `retain()` and `release()`.
///
/// Code that retains a row must release it once.
@frozen
@usableFromInline
package struct RowReference {
    @usableFromInline let buffer: Unmanaged<RowBuffer>

    /// Keeps the row alive until ``release()``.
    @inlinable
    package init(retaining row: consuming Row) { buffer = Unmanaged.passRetained(row.buffer) }

    /// Retains the row once more.
    @inlinable
    package func retain() { _ = buffer.retain() }

    /// Releases the row.
    @inlinable
    package func release() { buffer.release() }

    /// The row, with ordinary reference counting.
    @inlinable
    package var row: Row { Row(buffer.takeUnretainedValue()) }

    @inlinable
    @inline(__always)
    var head: RowHeader { buffer._withUnsafeGuaranteedRef { Row($0).head } }

    /// The key of the row; see ``Row/key``.
    @inlinable
    @inline(__always)
    package var key: Int64 { head.key }

    /// The version of the row; see ``Row/version``.
    @inlinable
    @inline(__always)
    package var version: Int64 { head.version }

    /// The entity of the row; see ``Row/entity``.
    @inlinable
    @inline(__always)
    package var entity: Int { Int(head.entity) }

    /// Calls the closure with the row.
    @inlinable
    @inline(__always)
    package func lent<Result>(_ body: (Row) -> Result) -> Result {
        buffer._withUnsafeGuaranteedRef { body(Row($0)) }
    }

    /// Whether there is no other reference to the row.
    @inlinable
    @inline(__always)
    package var isUnique: Bool {
        // With a copy, the object that has the row need not be retained for the access.
        var buffer = buffer
        return withUnsafeMutableBytes(of: &buffer) {
            isKnownUniquelyReferenced(&$0.assumingMemoryBound(to: RowBuffer.self)[0])
        }
    }

    /// Calls the closure with a builder that writes into the row of an object under edit.
    ///
    /// No other reference to the row may exist: see ``isUnique``.
    @inlinable
    @inline(__always)
    package func edit(_ body: (borrowing RowBuilder) -> Bool) -> Bool {
        let builder = RowBuilder(buffer)
        let result = body(builder)
        builder.end()
        return result
    }
}
