import CofferStorage

/// Generates random change sets with merges and outdated rows, but without dangling references and violations.
struct RandomChanges {
    let layout: ModelLayout
    /// Whether some values are extremes.
    let isWild: Bool
    /// The rows of an earlier commit, for updates of outdated rows.
    private var older: [Int: [Int64: Row]] = [:]
    private var uniqueNumber: Int64 = 1_000
    /// The rows and links before the changes.
    private var oracle: Oracle
    private var changes = ChangeSet()
    /// The entities of the rows after the changes, by root, then by key.
    private var alive: [Int: [Int64: Int]] = [:]
    /// The keys of the rows that are deleted or merged into, by root.
    private var touched: [Int: Set<Int64>] = [:]

    init(layout: ModelLayout, isWild: Bool = false) {
        self.layout = layout
        self.isWild = isWild
        oracle = Oracle(layout: layout)
    }

    mutating func next(
        _ oracle: Oracle, _ random: inout SeededGenerator, reserve: (Int, Int) throws -> Range<Int64>
    ) throws -> ChangeSet {
        (self.oracle, changes, alive, touched) = (oracle, ChangeSet(), [:], [:])
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
        for (entity, key) in fresh { try insert(layout.entities[entity], key, &random) }
        for root in roots { try update(root, &random) }
        link(&random)
        if random.chance(50) { older = oracle.trees }
        return changes
    }

    private func values(_ entity: EntityLayout, _ random: inout SeededGenerator) -> [Value] {
        var values: [Value] = []
        for column in entity.columns {
            switch column.role {
            case .attribute:
                let isNull = column.isOptional && random.chance(30)
                values.append(isNull ? .null : RandomValue.common(column.kind, isWild: isWild, &random))
            case .reference: values.append(target(of: column, entity, &random))
            case .position: values.append(values.last == .null ? .null : .integer(Int64(random.int(0...5))))
            }
        }
        return values
    }

    private func target(of column: Column, _ entity: EntityLayout, _ random: inout SeededGenerator) -> Value {
        guard random.chance(70), let index = entity.relationship(named: column.name) else { return .null }
        let keys = keys(of: layout.relationships[index].destination)
        return keys.isEmpty ? .null : .integer(random.pick(keys))
    }

    private func keys(of entity: Int) -> [Int64] {
        (alive[layout.entities[entity].root] ?? [:]).filter { layout.entity($0.value, isKindOf: entity) }.keys.sorted()
    }

    private mutating func insert(_ entity: EntityLayout, _ key: Int64, _ random: inout SeededGenerator) throws {
        var values = values(entity, &random)
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
        try changes.inserts.append(.init(row: entity.row(key, version: 1, values)))
    }

    private mutating func nextUnique(_ kind: ColumnKind) -> Value {
        uniqueNumber += 1
        return kind == .text ? .text("unique \(uniqueNumber)") : .integer(uniqueNumber)
    }

    private mutating func update(_ root: Int, _ random: inout SeededGenerator) throws {
        for row in oracle.rows(root: root) where !(touched[root] ?? []).contains(row.key) {
            let entity = layout.entities[row.entity]
            var base = row
            if random.chance(20), let old = older[root]?[row.key] { base = old }
            var new = base.values(entity.kinds)
            var columns = ColumnSet()
            let candidates = values(entity, &random)
            let isUpdated = random.chance(25)
            for (slot, column) in entity.columns.enumerated() {
                // The core also clears the reference if the related row is deleted.
                let isDangling = column.role == .reference && isGone(row, slot, column, entity)
                guard isDangling || (isUpdated && random.chance(40)) else { continue }
                new[slot] = isDangling ? .null : candidates[slot]
                if entity.uniqueConstraints.first?.first == slot { new[slot] = nextUnique(column.kind) }
                columns.insert(slot)
            }
            if columns.isEmpty { continue }
            try changes.updates.append(.init(row: entity.row(row.key, version: base.version, new), columns: columns))
        }
    }

    private func isGone(_ row: Row, _ slot: Int, _ column: Column, _ entity: EntityLayout) -> Bool {
        guard let key = row.number(in: slot), let index = entity.relationship(named: column.name) else { return false }
        return alive[layout.entities[layout.relationships[index].destination].root]?[key] == nil
    }

    private mutating func link(_ random: inout SeededGenerator) {
        for table in layout.linkTables {
            let isSelfInverse = table.first == table.second
            func both(_ link: ChangeSet.Link) -> [ChangeSet.Link] { isSelfInverse ? [link, link.reversed] : [link] }
            func placed(_ first: Int64, _ second: Int64, _ random: inout SeededGenerator) -> ChangeSet.Link {
                .init(
                    table: table.index, first: first, second: second,
                    firstPosition: table.isFirstOrdered ? Int64(random.int(0...8)) : nil,
                    secondPosition: table.isSecondOrdered ? Int64(random.int(0...8)) : nil)
            }
            let existing = (oracle.links[table.index] ?? [:]).values.sorted {
                ($0.first, $0.second) < ($1.first, $1.second)
            }
            for link in existing where random.chance(15) { changes.unlinks += both(link) }
            let first = layout.relationships[table.first]
            let owners = keys(of: first.owner)
            let targets = keys(of: first.destination)
            guard !owners.isEmpty, !targets.isEmpty else { continue }
            var seen: Set<Oracle.Pair> = []
            for _ in 0..<random.int(0...15) {
                let (owner, target) = (random.pick(owners), random.pick(targets))
                let link = placed(owner, target, &random)
                if seen.insert(.init(first: owner, second: target)).inserted { changes.links += both(link) }
            }
            // Some of these links were removed above. Moves use a copy of the generator, so that the other results of
            // a seed stay the same.
            var own = random
            for link in existing where own.chance(15) {
                changes.moves += both(placed(link.first, link.second, &own))
            }
        }
    }
}

extension ChangeSet.Link {
    fileprivate var reversed: ChangeSet.Link {
        .init(
            table: table, first: second, second: first, firstPosition: secondPosition, secondPosition: firstPosition)
    }
}
