import CofferStorage

extension ConformanceCase {
    /// The merges of many inserts in one commit, compared with a list that is searched row by row.
    static let mergedBatches: [ConformanceCase] = [
        ConformanceCase(
            "merging/many",
            "Many inserts in one commit, with one constraint, have the same effect as single inserts."
        ) {
            let session = try $0.open(StoreModel(version: "V1", entities: [MergedBatch.member]))
            var batch = try MergedBatch(session, "Member", constraints: [["email"]])
            for round in 0..<4 {
                try batch.commit(count: 700, policy: round == 2 ? .keepStored : .merge, what: "round \(round)") {
                    generator, number in
                    // Strings that some part of a store may treat in a special way.
                    let texts = ["a", "é", "e\u{301}", "A", "quote\"", "back\\slash", "line\n", "", "日本"]
                    let text = texts[Int.random(in: 0..<texts.count, using: &generator)]
                    switch Int.random(in: 0..<8, using: &generator) {
                    case 0: return ["email": .null, "rank": .integer(Int64(number))]
                    case 1: return ["email": .text(text), "rank": .integer(Int64(number))]
                    case 2...4:
                        let known = Int.random(in: 0..<400, using: &generator)
                        return ["email": .text("\(text)\(known)"), "rank": .integer(Int64(number))]
                    default: return ["email": .text("\(text) \(round) \(number)"), "rank": .null]
                    }
                }
            }
        },
        withStore(
            "merging/many-constraints",
            "Many inserts in one commit, with several constraints, have the same effect as single inserts."
        ) { session in
            var batch = try MergedBatch(session, "Book", constraints: [["isbn"], ["shelf", "place"]])
            for round in 0..<60 {
                // In large batches, two inserts rarely have the same unique values; in small batches, they often do.
                let (count, range) = round % 10 == 0 ? (300, 20_000) : (1 + round % 7, 12)
                let policies: [UniqueConstraintPolicy] = [.merge, .merge, .keepStored, .throwError]
                try batch.commit(count: count, policy: policies[round % 4], what: "round \(round)") {
                    generator, number in
                    func value(_ value: Value) -> Value {
                        Int.random(in: 0..<3, using: &generator) == 0 ? .null : value
                    }
                    let place = Int64.random(in: 0..<Int64(range), using: &generator)
                    return [
                        "title": .text("\(round) \(number)"), "isbn": value(.text("\(place)")),
                        "shelf": value(.text(place % 2 == 0 ? "A" : "B")),
                        "place": value(.integer(Int64.random(in: 0..<Int64(range), using: &generator))),
                    ]
                }
            }
        },
    ]
}

/// Commits of many inserts into a store, with the expected rows.
private struct MergedBatch {
    static let member = EntityDescription(
        name: "Member",
        attributes: [
            .init(name: "email", type: .stringAttributeType, isOptional: true),
            .init(name: "rank", type: .integer64AttributeType, isOptional: true),
        ],
        indexes: [["rank"]], uniqueConstraints: [["email"]])

    private let session: Session
    private let entity: TestEntity
    private let constraints: [[String]]
    private var rows: [(key: Int64, values: [String: Value])] = []
    private var merges: [CommitResult.Merge] = []
    /// The versions of all rows before a commit.
    private var versions: [Int64: Int64] = [:]
    private var generator = SeededGenerator(seed: 49)

    init(_ session: Session, _ name: EntityName, constraints: [[String]]) throws {
        self.session = session
        self.constraints = constraints
        entity = try session.entity(name)
    }

    /// Inserts rows in one commit, and compares the result and all rows with the expected rows.
    mutating func commit(
        count: Int, policy: UniqueConstraintPolicy, what: String,
        _ values: (inout SeededGenerator, _ number: Int) -> [String: Value]
    ) throws {
        let before = rows
        let keys = Array(try session.reserve(entity.entity.name, count))
        let inserts = keys.indices.map { values(&generator, $0) }
        merges = []
        let isAllowed = zip(keys, inserts).allSatisfy { insert($0, $1, policy) }
        let (layout, constraints) = (entity.entity, constraints)
        let build = { (changes: inout Changes) in
            changes.uniqueConstraintPolicies = [layout.root: constraints.map { _ in policy }]
            for (key, values) in zip(keys, inserts) { try changes.insert(layout.name, values, key: key) }
        }
        var told: [Row] = []
        if isAllowed {
            let result = try session.commit(build)
            try expectEqual(result.merges, merges, "the merges of \(what)")
            told = result.refreshed
        } else {
            try session.expectRefused(.uniqueViolation, what, build)
            (rows, merges) = (before, [])
        }
        let survivors = Set(merges.map(\.into))
        // A store may report a row once for each merge into it.
        try expectEqual(Set(lines(told)).sorted(), lines { survivors.contains($0) }, "the rows reported for \(what)")
        let found = try session.rows(entity.request())
        try expectEqual(lines(found), lines { _ in true }, "the rows after \(what)")
        let versionsTold = Dictionary(told.map { ($0.key, $0.version) }, uniquingKeysWith: { first, _ in first })
        for row in found {
            let isMerged = survivors.contains(row.key)
            if isMerged { try expectEqual(versionsTold[row.key], row.version, "the version reported for \(what)") }
            guard let before = versions[row.key] else { continue }
            // Only the versions of merged rows rise.
            let hasRisen = policy == .merge && isMerged
            try expectEqual(row.version > before, hasRisen, "whether \(row.key) has a new version, \(what)")
        }
        versions = Dictionary(found.map { ($0.key, $0.version) }, uniquingKeysWith: { first, _ in first })
    }

    private func lines(_ rows: [Row]) -> [String] {
        rows.map { "\($0.key) \($0.values(entity.entity.kinds))" }.sorted()
    }

    private func lines(_ isIncluded: (Int64) -> Bool) -> [String] {
        rows.filter { isIncluded($0.key) }.map { row in
            "\(row.key) \(entity.entity.columns.map { row.values[$0.name] ?? .null })"
        }.sorted()
    }

    /// - Returns: false if the commit must throw.
    private mutating func insert(_ key: Int64, _ values: [String: Value], _ policy: UniqueConstraintPolicy) -> Bool {
        let holders = Set(constraints.compactMap { holder(of: values, $0, except: key) })
        guard let place = holders.first else {
            rows.append((key, values))
            return true
        }
        guard holders.count == 1, policy != .throwError else { return false }
        let survivor = rows[place].key
        merges.append(.init(root: entity.entity.root, from: key, into: survivor, isKept: policy == .keepStored))
        guard policy == .merge else { return true }
        rows[place].values = values
        return constraints.allSatisfy { holder(of: values, $0, except: survivor) == nil }
    }

    private func holder(of values: [String: Value], _ constraint: [String], except key: Int64) -> Int? {
        guard constraint.allSatisfy({ values[$0] != .null }) else { return nil }
        return rows.firstIndex { row in
            row.key != key && constraint.allSatisfy { row.values[$0] == values[$0] }
        }
    }
}
