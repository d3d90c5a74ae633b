/// The report of one child process.
struct Measurement: Codable {
    let seconds: Double
    let check: Int

    /// The process's peak resident memory in kilobytes, taken right after the measured section.
    let peakMemory: Int

    /// The bytes that the measured section allocated and still uses, without the memory of SQLite itself.
    ///
    /// The value is nil for a process in another language.
    let keptMemory: Int?
}

/// The section that a child process measures, and the number of rows.
struct Section: Codable, Hashable {
    let workload: String
    let peer: String
    let count: Int
}
