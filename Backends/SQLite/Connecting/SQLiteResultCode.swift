import CofferCSQLite

/// A result code of SQLite, either primary or extended.
struct SQLiteResultCode: Equatable, Sendable {
    let rawValue: Int32

    @inline(__always) init(_ rawValue: Int32) { self.rawValue = rawValue }

    /// Whether the statement has run to its end.
    @inline(__always) var isDone: Bool { rawValue == SQLITE_DONE }
    /// Whether the statement has run to its end, or the call had no other result.
    @inline(__always) var isSuccess: Bool { rawValue == SQLITE_OK || rawValue == SQLITE_DONE }
    /// Whether a row breaks a constraint.
    var isConstraint: Bool { rawValue & 0xFF == SQLITE_CONSTRAINT }
    /// Whether another connection holds a lock.
    var isBusy: Bool { rawValue & 0xFF == SQLITE_BUSY }
}
