public import CofferStorage

/// How far copying a store is.
public struct CopyReport: Hashable, Sendable {
    /// What is being done.
    public enum Phase: Hashable, Sendable {
        /// Rows and links are read from one store and written into the other.
        case copying
        /// What was written is read back.
        case verifying
    }

    /// What is being done.
    public var phase: Phase
    /// How many rows and links the phase is done with.
    public var done: Int
    /// How many there are.
    public var total: Int

    /// How far copying is.
    public init(phase: Phase, done: Int, total: Int) {
        self.phase = phase
        self.done = done
        self.total = total
    }
}

extension StorageInterface {
    /// Copies everything into a store that is not there yet: all of it, verified, or nothing.
    ///
    /// ```swift
    /// let summary = try store.copy(layout, to: PostgreSQLStore(url: "postgresql://localhost/people"))
    /// print("\(summary.rowCount) rows")
    /// ```
    ///
    /// What is copied is one snapshot; this store, which is open, can be read and written meanwhile. The other is closed
    /// before and after. It gets the same id, so that the ids of objects stay what they are. Before it can be seen it is
    /// read back, and its ``StoreSummary`` must be that of what was read here.
    ///
    /// - Parameters:
    ///   - layout: the model the store was opened with.
    ///   - target: where to copy to.
    ///   - report: called now and then, on the same thread. What it throws ends copying, and leaves nothing.
    /// - Returns: what was copied.
    /// - Throws: `unsupported` when the other store cannot be loaded, `unavailable` when there is something in its place,
    ///   `corrupt` when it holds something else in the end, and what reading and writing throw.
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
                // After the snapshot was taken, so that no row in it has a key that is still to be given.
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
            "The copy is not what was read: \(names.prefix(3).joined(separator: ", ")) differs. Nothing was kept; "
                + "copy again, and check both stores if it happens again."
        )
    }
}
