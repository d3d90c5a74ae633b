import CBenchmarkSQLite
import Foundation

enum ProcessMemory {
    /// Returns the peak resident memory of this process in kilobytes, or 0 if the system does not report it.
    static func peak() -> Int {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") })
        else { return 0 }
        return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
    }

    /// Returns the bytes that the C library has allocated, without SQLite, or 0 if the library does not report them.
    static func allocated() -> Int {
        #if canImport(Glibc)
            let state = mallinfo2()
            return Int(state.uordblks + state.hblkhd) - Int(sqlite3_memory_used())
        #else
            return 0
        #endif
    }
}
