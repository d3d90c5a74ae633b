import CBenchmarkSQLite
import Foundation

enum ProcessMemory {
    /// The peak resident memory of this process in kilobytes, or 0 where the system does not tell.
    static func peak() -> Int {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") })
        else { return 0 }
        return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
    }

    /// The bytes that the C library has allocated, without those of SQLite, or 0 where the library does not tell.
    static func allocated() -> Int {
        #if canImport(Glibc)
            let state = mallinfo2()
            return Int(state.uordblks + state.hblkhd) - Int(sqlite3_memory_used())
        #else
            return 0
        #endif
    }
}
