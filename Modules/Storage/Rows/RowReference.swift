/// A reference to a row without automatic reference counting; its owner calls `retain()` and `release()`.
///
/// Code that retains a row must release it once.
@frozen
@usableFromInline
package struct RowReference {
    @usableFromInline let start: UnsafeMutablePointer<RowHeader>

    @inlinable
    init(_ start: UnsafeMutablePointer<RowHeader>) { self.start = start }

    /// Keeps the row alive until ``release()``.
    @inlinable
    package init(retaining row: consuming Row) {
        start = row.start
        _ = Unmanaged.passRetained(row.memory)
    }

    @inlinable
    @inline(__always)
    var memory: Unmanaged<RowMemory> { .fromOpaque(UnsafeRawPointer(start) - Int(start.pointee.place) &* 8) }

    /// Retains the row once more.
    @inlinable
    package func retain() { _ = memory.retain() }

    /// Releases the row.
    @inlinable
    package func release() { memory.release() }

    /// The row, with ordinary reference counting.
    @inlinable
    package var row: Row { Row(memory.takeUnretainedValue(), start) }

    /// Returns the row, which takes over this reference.
    @inlinable
    package func taken() -> Row { Row(memory.takeRetainedValue(), start) }

    @inlinable
    @inline(__always)
    var head: RowHeader { start.pointee }

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
        memory._withUnsafeGuaranteedRef { body(Row($0, start)) }
    }

    /// Whether there is no other reference to the row, nor to a row in the same allocation.
    @inlinable
    @inline(__always)
    package var isUnique: Bool {
        // With a copy, the object that has the row need not be retained for the access.
        var memory = memory
        return withUnsafeMutableBytes(of: &memory) {
            isKnownUniquelyReferenced(&$0.assumingMemoryBound(to: RowMemory.self)[0])
        }
    }

    /// Calls the closure with a builder that writes into the row of an object under edit.
    ///
    /// No other reference to the row may exist: see ``isUnique``.
    @inlinable
    @inline(__always)
    package func edit(_ body: (borrowing RowBuilder) -> Bool) -> Bool {
        let builder = RowBuilder(self)
        let result = body(builder)
        builder.end()
        return result
    }
}
