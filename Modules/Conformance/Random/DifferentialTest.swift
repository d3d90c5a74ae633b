import CofferStorage

/// Runs randomised tests: compares a store with the ``Oracle`` and the `ReferenceEvaluator`.
struct DifferentialTest {
    /// The requests or changes that a test compares.
    enum Workload: String {
        case rows = "fetching/random"
        case values = "querying/random"
        case commits = "commits/random"
        case computing = "computing/random"
    }

    /// Describes a difference in the results of a request; nil if the message of the comparison is sufficient.
    typealias Explanation = (_ oracle: Oracle, _ request: DifferentialComparison.Request) -> String?

    /// The number of requests for each random model.
    static let requestsPerRound = 20

    private let session: Session
    private let workload: Workload
    private let isWild: Bool
    private let explain: Explanation?
    private var oracle: Oracle
    private var changes: RandomChanges
    private var random: SeededGenerator

    static func run(_ context: TestContext, _ workload: Workload) throws {
        for round in 0..<max(1, Settings.requests / requestsPerRound) {
            try run(context, workload, seed: Settings.seed &+ UInt64(round))
        }
    }

    /// Runs the requests for one random model.
    ///
    /// - Parameter explain: called if the store and the oracle disagree about a request.
    static func run(_ context: TestContext, _ workload: Workload, seed: UInt64, explain: Explanation? = nil) throws {
        var random = SeededGenerator(seed: seed)
        let session = try context.open(RandomModel.make(&random))
        // With extreme values, a sum of decimals depends on the order of the rows. These rounds have no such sums.
        let isWild = workload == .computing && random.chance(50)
        var one = DifferentialTest(
            session: session, workload: workload, isWild: isWild,
            explain: explain, oracle: Oracle(layout: session.layout),
            changes: RandomChanges(layout: session.layout, isWild: isWild), random: random)
        do {
            try one.run()
        } catch let mismatch as Mismatch {
            throw Mismatch(one.explained(mismatch.message, seed))
        } catch let error as StorageError {
            throw Mismatch(one.explained("  threw: \(error.debugDescription)", seed))
        }
        try session.store.erase()
    }

    private mutating func run() throws {
        for _ in 0..<(workload == .commits ? 6 : 3) { try commit() }
        if workload == .commits { return }
        let root = Set(session.layout.entities.map(\.root)).sorted()
        let requests = RandomRequest(
            layout: session.layout, keys: root.flatMap { oracle.rows(root: $0).map(\.key) },
            computes: workload == .computing, isWild: isWild
        )
        for _ in 0..<Self.requestsPerRound {
            switch workload {
            case .rows: try compare(.rows(requests.rows(&random)))
            case .values: try compare(.values(requests.values(&random)))
            case .computing:
                try compare(random.chance(70) ? .rows(requests.rows(&random)) : .values(requests.values(&random)))
            case .commits: return
            }
        }
    }

    // MARK: Commits

    private mutating func commit() throws {
        let store = session.store
        let set = try changes.next(oracle, &random) { root, count in try store.reserveKeys(count, root: root) }
        let expected = oracle.apply(set)
        let result = try store.commit(set)
        guard workload == .commits else { return }
        try expectEqual(Set(result.merges), Set(expected), "the merges")
        try compareWhatTheCoreKnows(set, result)
        try session.expectContent(of: oracle)
    }

    /// Checks that the rows of the change set, corrected by the commit's result, are the rows of the oracle.
    private func compareWhatTheCoreKnows(_ set: ChangeSet, _ result: CommitResult) throws {
        let layout = session.layout
        var known: [Int: [Int64: Row]] = [:]
        for insert in set.inserts {
            known[layout.entities[insert.row.entity].root, default: [:]][insert.row.key] = insert.row
        }
        for update in set.updates {
            let row = RowBuilder(copying: update.row)
            row.write(version: update.row.version + 1)
            known[layout.entities[update.row.entity].root, default: [:]][update.row.key] = row.build()
        }
        for merge in result.merges { known[merge.root]?[merge.from] = nil }
        for row in result.refreshed { known[layout.entities[row.entity].root, default: [:]][row.key] = row }
        for (root, rows) in known {
            for (key, row) in rows {
                let expected = oracle.row(root: root, key: key).map(shown) ?? "none"
                try expectEqual(shown(row), expected, "a row of the change set, corrected by the commit's result")
            }
        }
    }

    private func shown(_ row: Row) -> String { row.shown(in: session.layout) }

    private func compare(_ request: DifferentialComparison.Request) throws {
        do {
            try DifferentialComparison(session: session, oracle: oracle).check(request)
        } catch {
            guard let explanation = explain?(oracle, request) else { throw error }
            throw Mismatch(explanation)
        }
    }

    private func explained(_ message: String, _ seed: UInt64) -> String {
        """
        \(message)
          again:    COFFER_SEED=\(seed) COFFER_CASES=\(Self.requestsPerRound) COFFER_CASE='\(workload.rawValue)'
        """
    }
}
