import CofferCSQLite
import CofferStorage

@testable import CofferSQLite

/// A log or main file whose writes or synchronisations can fail.
///
/// It replaces the functions that SQLite calls.
final class FaultyLog {
    /// The function that fails, and the part of its work that is done nevertheless.
    enum Fault: CaseIterable, Sendable {
        case write, halfWrite, wholeWrite, sync
    }

    private struct State {
        let methods: UnsafePointer<sqlite3_io_methods>
        var fault = Fault.write
        /// The number of writes or synchronisations that succeed first.
        var countdown = Int.max
        var isForGood = false

        mutating func fails(_ isSync: Bool) -> Bool {
            guard isSync == (fault == .sync), countdown != .max else { return false }
            countdown -= 1
            guard countdown < 0 else { return false }
            countdown = isForGood ? 0 : .max
            return true
        }
    }

    private static let states = Locked<[UnsafeMutablePointer<sqlite3_file>: State]>([:])

    private let file: UnsafeMutablePointer<sqlite3_file>
    private let patched: UnsafeMutablePointer<sqlite3_io_methods>

    /// Replaces the functions of the log of a connection, or of its main file.
    ///
    /// - Parameter sharesMemory: whether the file can have an index of its log, as on a local disk.
    init(
        _ connection: SQLiteConnection, pointer: Int32 = SQLITE_FCNTL_JOURNAL_POINTER, sharesMemory: Bool = true
    ) throws {
        var file: UnsafeMutablePointer<sqlite3_file>?
        sqlite3_file_control(connection.handle, nil, pointer, &file)
        guard let file, let methods = file.pointee.pMethods else {
            throw CrashingProcess.Failure(text: "The file is not open.")
        }
        self.file = file
        patched = .allocate(capacity: 1)
        patched.initialize(to: methods.pointee)
        // The first version of the methods has no methods for shared memory.
        if !sharesMemory { patched.pointee.iVersion = 1 }
        Self.states.withLock { $0[file] = State(methods: methods) }
        patched.pointee.xWrite = { file, bytes, count, offset in
            guard let file, let state = FaultyLog.states.withLock({ $0[file] }) else { return SQLITE_INTERNAL }
            let write = state.methods.pointee.xWrite
            guard FaultyLog.states.withLock({ $0[file]?.fails(false) ?? false }) else {
                return write?(file, bytes, count, offset) ?? SQLITE_INTERNAL
            }
            switch state.fault {
            case .halfWrite: _ = write?(file, bytes, count / 2, offset)
            case .wholeWrite: _ = write?(file, bytes, count, offset)
            default: break
            }
            return state.fault == .halfWrite ? SQLITE_FULL : 778
        }
        patched.pointee.xSync = { file, flags in
            guard let file, let state = FaultyLog.states.withLock({ $0[file] }) else { return SQLITE_INTERNAL }
            guard FaultyLog.states.withLock({ $0[file]?.fails(true) ?? false }) else {
                return state.methods.pointee.xSync?(file, flags) ?? SQLITE_INTERNAL
            }
            return 1034
        }
        file.pointee.pMethods = UnsafePointer(patched)
    }

    deinit { patched.deallocate() }

    /// Makes a write or synchronisation fail after some that succeed, once or permanently.
    func fail(_ fault: Fault, after count: Int, isForGood: Bool) {
        Self.states.withLock {
            $0[file]?.fault = fault
            $0[file]?.countdown = count
            $0[file]?.isForGood = isForGood
        }
    }

    /// Restores the original functions of the file.
    func end() {
        file.pointee.pMethods = Self.states.withLock { $0.removeValue(forKey: file)?.methods }
    }
}
