/// A position in the write-ahead log, with which a store finds replicas that have replayed its commits.
///
/// A snapshot that is taken at a position shows all commits before the position.
struct PostgreSQLPosition: Equatable, Sendable {
    /// The identifier of the cluster, which is the same for its replicas.
    let system: Int64
    /// The history of the log, which forks when a replica becomes the primary.
    let timeline: Int64
    /// The number of bytes before the position.
    var offset: Int64

    /// Whether both positions are in the same history.
    func isComparable(to other: PostgreSQLPosition) -> Bool { system == other.system && timeline == other.timeline }

    /// Moves to another position, if it is later or in a later history.
    mutating func advance(to other: PostgreSQLPosition) {
        if isComparable(to: other) {
            offset = max(offset, other.offset)
        } else if system != other.system || timeline < other.timeline {
            self = other
        }
    }
}

extension PostgreSQLPosition {
    /// The request for a position after all commits that an earlier snapshot shows; a replica returns no row.
    ///
    /// The server counts the header of a page whose content does not exist yet. A replica does not count it.
    static let request = """
        SELECT s.system_identifier, ('x' || left(f.file_name, 8))::bit(32)::bigint, (l.place - '0/0')::bigint \
        - CASE WHEN f.file_offset = 40 OR f.file_offset % current_setting('wal_block_size')::bigint = 24 \
        THEN f.file_offset % current_setting('wal_block_size')::bigint ELSE 0 END \
        FROM pg_control_system() s, \
        (SELECT CASE WHEN NOT pg_is_in_recovery() THEN pg_current_wal_insert_lsn() END AS place) l, \
        LATERAL pg_walfile_name_offset(l.place) f WHERE l.place IS NOT NULL
        """

    /// - Parameter column: the column of the offset in the answer.
    init?(_ answer: PostgreSQLResult, offset column: Int = 2) {
        func integer(_ column: Int) -> Int64? { answer.string(0, column).flatMap { Int64($0) } }
        guard answer.rowCount == 1, let system = integer(0), let timeline = integer(1), let offset = integer(column)
        else { return nil }
        self.init(system: system, timeline: timeline, offset: offset)
    }
}

/// The progress of a replica that follows its primary.
struct PostgreSQLReplay {
    /// The position before which all commits are in every later snapshot.
    let applied: PostgreSQLPosition
    /// The position after which no commit is in any earlier snapshot.
    let shown: PostgreSQLPosition

    /// The request for the progress of a replica; a primary returns no row.
    ///
    /// A commit is visible a moment before the replica counts it as applied. At this moment, it is the next commit in
    /// the log, so a position beyond the applied position includes it. If the replica has received nothing more,
    /// there is no such commit.
    static let request = """
        SELECT s.system_identifier, c.timeline_id, (l.applied - '0/0')::bigint, \
        (l.applied - '0/0')::bigint + CASE WHEN l.received = l.applied THEN 0 ELSE 1 END \
        FROM pg_control_system() s, pg_control_checkpoint() c, \
        (SELECT pg_last_wal_replay_lsn() AS applied, pg_last_wal_receive_lsn() AS received) l WHERE pg_is_in_recovery()
        """

    init?(_ answer: PostgreSQLResult) {
        guard let applied = PostgreSQLPosition(answer, offset: 2), let shown = PostgreSQLPosition(answer, offset: 3)
        else { return nil }
        self.applied = applied
        self.shown = shown
    }
}
