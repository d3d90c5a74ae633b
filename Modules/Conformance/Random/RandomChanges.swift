import CofferStorage

/// Generates random change sets with merges and outdated rows, but without dangling references and violations.
struct RandomChanges {
    let layout: ModelLayout
    /// Whether values are now and then extremes.
    let isWild: Bool
    /// Rows as they were some commits ago, for updates that another writer overtook.
    private var older: [Int: [Int64: Row]] = [:]
    private var uniqueNumber: Int64 = 1_000

    init(layout: ModelLayout, isWild: Bool = false) {
        self.layout = layout
        self.isWild = isWild
    }

    mutating func next(
        _ oracle: Oracle, _ random: inout SeededGenerator, reserve: (Int, Int) throws -> Range<Int64>
    ) throws -> ChangeSet {
        var changes = ChangeSet()
        var alive: [Int: [Int64: Int]] = [:]
        var touched: [Int: Set<Int64>] = [:]
        let roots = Set(layout.entities.map(\.root)).sorted()
        for root in roots {
            for row in oracle.rows(root: root) {
                if random.chance(12) {
                    changes.deletes.append(.init(entity: row.entity, key: row.key))
                    touched[root, default: []].insert(row.key)
                } else {
                    alive[root, default: [:]][row.key] = row.entity
                }
            }
        }
        var fresh: [(entity: Int, key: Int64)] = []
        for root in roots {
            let concrete = layout.entities[root].descendants.filter { !layout.entities[$0].isAbstract }
            for key in try reserve(root, random.int(2...8)) {
                let entity = random.pick(concrete)
                fresh.append((entity, key))
                alive[root, default: [:]][key] = entity
            }
        }
        for (entity, key) in fresh {
            let row = try insert(entity, key, oracle, alive, &touched, &random)
            changes.inserts.append(.init(row: row))
        }
        try update(&changes, oracle, alive, touched, roots, &random)
        link(&changes, oracle, alive, &random)
        if random.chance(50) { older = oracle.trees }
        return changes
    }

    private func values(
        _ entity: EntityLayout, _ alive: [Int: [Int64: Int]], _ random: inout SeededGenerator
    ) -> [Value] {
        var values: [Value] = []
        for column in entity.columns {
            switch column.role {
            case .attribute:
                let isNull = column.isOptional && random.chance(30)
                values.append(isNull ? .null : RandomValue.common(column.kind, isWild: isWild, &random))
            case .reference: values.append(target(of: column, entity, alive, &random))
            case .position: values.append(values.last == .null ? .null : .integer(Int64(random.int(0...5))))
            }
        }
        return values
    }

    private func target(
        of column: Column, _ entity: EntityLayout, _ alive: [Int: [Int64: Int]], _ random: inout SeededGenerator
    ) -> Value {
        guard random.chance(70), let index = entity.relationship(named: column.name) else { return .null }
        let keys = keys(of: layout.relationships[index].destination, alive)
        return keys.isEmpty ? .null : .integer(random.pick(keys))
    }

    private func keys(of entity: Int, _ alive: [Int: [Int64: Int]]) -> [Int64] {
        (alive[layout.entities[entity].root] ?? [:]).filter { layout.entity($0.value, isKindOf: entity) }.keys.sorted()
    }

    private mutating func insert(
        _ index: Int, _ key: Int64, _ oracle: Oracle, _ alive: [Int: [Int64: Int]], _ touched: inout [Int: Set<Int64>],
        _ random: inout SeededGenerator
    ) throws -> Row {
        let entity = layout.entities[index]
        var values = values(entity, alive, &random)
        if let slot = entity.uniqueConstraints.first?.first, !values[slot].isNull {
            let free = oracle.rows(root: entity.root).filter {
                !$0.isNull(slot) && !(touched[entity.root] ?? []).contains($0.key)
            }
            if random.chance(30), !free.isEmpty {
                let met = random.pick(free)
                touched[entity.root, default: []].insert(met.key)
                values[slot] = met.value(slot, entity.kinds[slot])
            } else {
                values[slot] = nextUnique(entity.kinds[slot])
            }
        }
        return try entity.row(key, version: 1, values)
    }

    private mutating func nextUnique(_ kind: ColumnKind) -> Value {
        uniqueNumber += 1
        return kind == .text ? .text("unique \(uniqueNumber)") : .integer(uniqueNumber)
    }

    private mutating func update(
        _ changes: inout ChangeSet, _ oracle: Oracle, _ alive: [Int: [Int64: Int]], _ touched: [Int: Set<Int64>],
        _ roots: [Int], _ random: inout SeededGenerator
    ) throws {
        for root in roots {
            for row in oracle.rows(root: root) where !(touched[root] ?? []).contains(row.key) {
                let entity = layout.entities[row.entity]
                var base = row
                if random.chance(20), let old = older[root]?[row.key] { base = old }
                var new = base.values(entity.kinds)
                var columns = ColumnSet()
                let candidates = values(entity, alive, &random)
                let isUpdated = random.chance(25)
                for (slot, column) in entity.columns.enumerated() {
                    // What the core does when the row at the other end is deleted.
                    let isDangling = column.role == .reference && isGone(row, slot, column, entity, alive)
                    guard isDangling || (isUpdated && random.chance(40)) else { continue }
                    new[slot] = isDangling ? .null : candidates[slot]
                    if entity.uniqueConstraints.first?.first == slot { new[slot] = nextUnique(column.kind) }
                    columns.insert(slot)
                }
                if !columns.isEmpty {
                    let row = try entity.row(row.key, version: base.version, new)
                    changes.updates.append(.init(row: row, columns: columns))
                }
            }
        }
    }

    private func isGone(
        _ row: Row, _ slot: Int, _ column: Column, _ entity: EntityLayout, _ alive: [Int: [Int64: Int]]
    ) -> Bool {
        guard !row.isNull(slot), let index = entity.relationship(named: column.name) else { return false }
        return alive[layout.entities[layout.relationships[index].destination].root]?[row.integer(slot)] == nil
    }

    private func link(
        _ changes: inout ChangeSet, _ oracle: Oracle, _ alive: [Int: [Int64: Int]], _ random: inout SeededGenerator
    ) {
        for table in layout.linkTables {
            let isSelfInverse = table.first == table.second
            let existing = (oracle.links[table.index] ?? [:]).values.sorted {
                ($0.first, $0.second) < ($1.first, $1.second)
            }
            for link in existing where random.chance(15) {
                changes.unlinks.append(link)
                if isSelfInverse { changes.unlinks.append(reversed(link)) }
            }
            let first = layout.relationships[table.first]
            let owners = keys(of: first.owner, alive)
            let targets = keys(of: first.destination, alive)
            guard !owners.isEmpty, !targets.isEmpty else { continue }
            var seen: Set<Oracle.Pair> = []
            for _ in 0..<random.int(0...15) {
                let link = ChangeSet.Link(
                    table: table.index, first: random.pick(owners), second: random.pick(targets),
                    firstPosition: table.isFirstOrdered ? Int64(random.int(0...8)) : nil,
                    secondPosition: table.isSecondOrdered ? Int64(random.int(0...8)) : nil)
                guard seen.insert(.init(first: link.first, second: link.second)).inserted else { continue }
                changes.links.append(link)
                if isSelfInverse { changes.links.append(reversed(link)) }
            }
            // Some of them were removed just now. Moves have numbers of their own: what a seed makes of the rest stays.
            var own = random
            for link in existing where own.chance(15) {
                let moved = ChangeSet.Link(
                    table: table.index, first: link.first, second: link.second,
                    firstPosition: table.isFirstOrdered ? Int64(own.int(0...8)) : nil,
                    secondPosition: table.isSecondOrdered ? Int64(own.int(0...8)) : nil)
                changes.moves.append(moved)
                if isSelfInverse { changes.moves.append(reversed(moved)) }
            }
        }
    }

    private func reversed(_ link: ChangeSet.Link) -> ChangeSet.Link {
        .init(
            table: link.table, first: link.second, second: link.first, firstPosition: link.secondPosition,
            secondPosition: link.firstPosition)
    }
}
