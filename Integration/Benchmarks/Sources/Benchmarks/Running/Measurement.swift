/// What one child process reports.
struct Measurement: Codable {
    let seconds: Double
    let check: Int

    /// The process's peak resident memory in kilobytes, taken right after the measured section.
    let peakMemory: Int

    /// The bytes that the measured section allocated and still uses, without the memory of SQLite itself; nil in a
    /// process in another language.
    let keptMemory: Int?
}

/// Which section a child process measures, and on how much data.
struct Section: Codable, Hashable {
    let workload: String
    let peer: String
    let count: Int
}
