public import CofferStorage

/// The progress of a copy of a store to another backend: the phase and the number of copied rows and links.
public struct CopyReport: Hashable, Sendable {
    /// The phases of a copy.
    public enum Phase: Hashable, Sendable {
        /// Rows and links are read from one store and written into the other.
        case copying
        /// The written data are read back.
        case verifying
    }

    /// The current phase.
    public var phase: Phase
    /// The number of rows and links that the phase has completed.
    public var done: Int
    /// The number of all rows and links.
    public var total: Int

    /// Creates a report of the progress.
    public init(phase: Phase, done: Int, total: Int) {
        self.phase = phase
        self.done = done
        self.total = total
    }
}

/// Copies a store to another backend, reports the progress, and verifies the copy by its checksums.
extension StorageInterface {
    /// Copies the store into a new store; the copy is verified, and appears complete or not at all.
    ///
    /// ```swift
    /// let summary = try store.copy(layout, to: PostgreSQLStore(url: "postgresql://localhost/people"))
    /// print("\(summary.rowCount) rows")
    /// ```
    ///
    /// The copy is one snapshot. This store must be open, and can be read and written in the meantime. The target is
    /// closed before and after the copy. It gets the same store id, so the ids of objects stay valid. Before the copy
    /// becomes visible, it is read back, and its ``StoreSummary`` must equal the summary of the source.
    ///
    /// - Parameters:
    ///   - layout: the model with which the store was opened.
    ///   - target: the new store.
    ///   - report: called repeatedly, on the same thread. If it throws, the copy ends, and nothing is left of it.
    /// - Returns: the summary of the copy.
    /// - Throws: `unsupported` if the target cannot be loaded, `unavailable` if this store does not exist or if
    ///   something exists in the place of the target, `corrupt` if the copy differs from the source, and the errors of
    ///   reading and writing.
    @discardableResult
    public func copy(
        _ layout: ModelLayout, to target: any StorageInterface,
        report: (CopyReport) throws(StorageError) -> Void = { _ in }
    ) throws(StorageError) -> StoreSummary {
        guard let metadata = try inspect() else {
            throw StorageError(.unavailable, "There is no store to copy.", operation: "copy", store: storeDescription)
        }
        return try read { reader throws(StorageError) in
            var progress = CopyReport(phase: .copying, done: 0, total: try reader.contentCount(layout))
            var digest = StoreDigest(layout)
            try report(progress)
            try target.load(layout, as: metadata.store) { loader throws(StorageError) in
                func advance(_ count: Int) throws(StorageError) {
                    progress.done += count
                    try report(progress)
                }
                let roots = layout.entities.filter { $0.root == $0.index }.map(\.index)
                for root in roots {
                    try reader.forEachPage(root: root) { rows throws(StorageError) in
                        try digest.add(rows)
                        try loader.add(rows)
                        try advance(rows.count)
                    }
                }
                for table in layout.linkTables.indices {
                    try reader.forEachLinkPage(table: table) { links throws(StorageError) in
                        digest.add(links)
                        try loader.add(links)
                        try advance(links.count)
                    }
                }
                // This reservation follows the snapshot, so that no row in the snapshot has a key that is reserved
                // later.
                for root in roots { try loader.continueKeys(at: reserveKeys(0, root: root).lowerBound, root: root) }
            } verify: { copy throws(StorageError) in
                progress = CopyReport(phase: .verifying, done: 0, total: progress.done)
                let summary = try copy.summary(layout) { count throws(StorageError) in
                    progress.done += count
                    try report(progress)
                }
                guard summary == digest.summary else { throw Self.differs(summary, digest.summary) }
            }
            return digest.summary
        }
    }

    private static func differs(_ found: StoreSummary, _ expected: StoreSummary) -> StorageError {
        let pairs = zip(found.entities + found.relationships, expected.entities + expected.relationships)
        let names = pairs.filter { $0 != $1 }.map { "'\($1.name)'" }
        return StorageError(
            .corrupt,
            "The copy differs from the source in \(names.prefix(3).joined(separator: ", ")) and was discarded. "
                + "Copy again. If this error occurs again, check both stores."
        )
    }
}
