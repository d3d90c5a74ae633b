import CofferStorage
import Foundation

/// Random models, rows and requests: a store beside the ``Oracle`` and `ReferenceEvaluator`.
struct DifferentialTrial {
    /// What is compared.
    enum Subject: String {
        case rows, values, commits, computing

        var id: String {
            switch self {
            case .rows: "fetching/random"
            case .values: "querying/random"
            case .commits: "commits/random"
            case .computing: "computing/random"
            }
        }
    }

    /// So many requests are made of each random model.
    static let requestsPerRound = 20

    private let session: Session
    private let subject: Subject
    private var oracle: Oracle
    private var changes: RandomChanges
    private var random: SeededGenerator

    static func run(_ trial: Trial, _ subject: Subject) throws {
        for round in 0..<max(1, Settings.requests / requestsPerRound) {
            let seed = Settings.seed &+ UInt64(round)
            var random = SeededGenerator(seed: seed)
            let session = try trial.open(RandomModel.make(&random))
            var one = DifferentialTrial(
                session: session, subject: subject, oracle: Oracle(layout: session.layout),
                changes: RandomChanges(layout: session.layout), random: random)
            do {
                try one.run()
            } catch let mismatch as Mismatch {
                throw Mismatch(one.explained(mismatch.message, seed))
            } catch let error as StorageError {
                throw Mismatch(one.explained("  threw: \(error.debugDescription)", seed))
            }
            try session.store.erase()
        }
    }

    private mutating func run() throws {
        for _ in 0..<(subject == .commits ? 6 : 3) { try commit() }
        if subject == .commits { return }
        let root = Set(session.layout.entities.map(\.root)).sorted()
        let requests = RandomRequest(
            layout: session.layout, keys: root.flatMap { oracle.rows(root: $0).map(\.key) },
            computes: subject == .computing
        )
        for _ in 0..<Self.requestsPerRound {
            switch subject {
            case .rows, .computing: try compare(requests.rows(&random))
            case .values: try compare(requests.values(&random))
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
        guard subject == .commits else { return }
        try expectEqual(Set(result.merges), Set(expected), "the merges")
        try compareWhatTheCoreKnows(set, result)
        try compareEverything()
    }

    /// The change set, corrected by what the store reported, is the new state.
    private func compareWhatTheCoreKnows(_ set: ChangeSet, _ result: CommitResult) throws {
        let layout = session.layout
        var known: [Int: [Int64: Row]] = [:]
        for insert in set.inserts {
            known[layout.entities[insert.row.entity].root, default: [:]][insert.row.key] = insert.row
        }
        for update in set.updates {
            let row = update.row.roomier(by: 0)
            row.write(version: update.row.version + 1)
            known[layout.entities[row.entity].root, default: [:]][row.key] = row
        }
        for merge in result.merges { known[merge.root]?[merge.from] = nil }
        for row in result.refreshed { known[layout.entities[row.entity].root, default: [:]][row.key] = row }
        for (root, rows) in known {
            for (key, row) in rows {
                let expected = oracle.row(root: root, key: key).map(shown) ?? "none"
                try expectEqual(shown(row), expected, "a row, as the change set and the commit's result tell it")
            }
        }
    }

    private func compareEverything() throws {
        let layout = session.layout
        for root in Set(layout.entities.map(\.root)).sorted() {
            let expected = oracle.rows(root: root).map(shown)
            try expectEqual(try session.rows(RowRequest(entity: root)).map(shown), expected, "all rows of a tree")
        }
        for relationship in layout.relationships where relationship.isToMany {
            let owners = oracle.rows(root: layout.entities[relationship.owner].root).map(\.key)
            let found = try session.related(relationship.index, of: owners)
            for owner in owners {
                let expected = oracle.related(relationship.index, of: owner).map(\.key)
                try expectEqual(
                    found[owner] ?? [], expected, "the keys that '\(relationship.name)' leads to from \(owner)")
            }
        }
    }

    private func shown(_ row: Row) -> String {
        let entity = session.layout.entities[row.entity]
        let values = zip(entity.columns, row.values(entity.kinds)).map { "\($0.name): \($1.shown)" }
        return "\(entity.name)#\(row.key) @\(row.version) [\(values.joined(separator: ", "))]"
    }

    // MARK: Requests

    private func compare(_ request: RowRequest) throws {
        let evaluator = ReferenceEvaluator(layout: session.layout)
        let expected = evaluator.rows(request, in: oracle)
        try expectEqual(try session.rows(request).map(shown), expected.map(shown), "the rows of \(request)")
        try expectEqual(try session.keys(request), expected.map(\.key), "the keys of \(request)")
        try expectEqual(try session.count(request), expected.count, "the count of \(request)")
    }

    private func compare(_ request: ValueRequest) throws {
        let expected = try ReferenceEvaluator(layout: session.layout).values(request, in: oracle)
        let found = try session.values(request)
        try expectEqual(found.map { $0.map(rounded) }, expected.map { $0.map(rounded) }, "the values of \(request)")
    }

    /// Averages may differ in their last digits.
    private func rounded(_ value: Value) -> Value {
        switch value {
        case .double(let number): return .double((number * 1e9).rounded() / 1e9)
        case .decimal(var number):
            var result = Decimal()
            NSDecimalRound(&result, &number, 20, .plain)
            return .decimal(result)
        default: return value
        }
    }

    private func explained(_ message: String, _ seed: UInt64) -> String {
        let entities = session.layout.entities.map { entity in
            let columns = entity.columns.enumerated().map { "\($0): \($1.name) \($1.kind)" }
            let relationships = entity.relationships.map { "\($0): \(session.layout.relationships[$0].name)" }
            return "    \(entity.index): \(entity.name) [\(columns.joined(separator: ", "))]"
                + " relationships [\(relationships.joined(separator: ", "))]"
        }
        return """
            \(message)
              again:    COFFER_SEED=\(seed) COFFER_CASES=\(Self.requestsPerRound) COFFER_CASE='\(subject.id)'
              entities:
            \(entities.joined(separator: "\n"))
            """
    }
}
