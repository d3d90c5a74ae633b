import CofferStorage

/// Resolves the names of a migration plan; refuses unknown entities, and types that do not convert without loss.
struct MigrationResolver: Sendable {
    let plan: MigrationPlan
    let source: ModelLayout
    let target: ModelLayout
    /// The moves by the index of the source's entity; nil if the rows of the entity are dropped.
    var moves: [EntityMove?]
    /// The moves of links, by the index of the source's table.
    var linkMoves: [[LinkMove]]
    /// The roots of the source trees, by the root of the target tree that receives their rows.
    ///
    /// The rows of the first root keep their keys.
    var feeds: [Int: [Int]] = [:]
    var doubtfulReferences: [Int] = []
    var doubtfulLinks: [Int] = []
    /// The source relationship of each target relationship, by the index of the source's entity.
    var relationships: [[Int: Int]]

    init(_ plan: MigrationPlan, _ source: ModelLayout, _ target: ModelLayout) {
        self.plan = plan
        self.source = source
        self.target = target
        moves = Array(repeating: nil, count: source.entities.count)
        relationships = Array(repeating: [:], count: source.entities.count)
        linkMoves = Array(repeating: [], count: source.linkTables.count)
    }

    mutating func resolve() throws(StorageError) {
        var taken: Set<EntityName> = []
        for entity in plan.entities {
            let move = try move(of: entity)
            guard moves[move.source.index] == nil, taken.insert(entity.target).inserted else {
                throw .invalidModel(
                    "The migration from '\(plan.source.version)' to '\(plan.target.version)' names '\(entity.source)' or "
                        + "'\(entity.target)' twice. Map each entity once."
                )
            }
            moves[move.source.index] = move
        }
        findFeeds()
        for entity in plan.entities { matchByName(entity) }
        matchByInverse()
        try checkPairs()
        try resolveRelationships()
        findDoubts()
    }

    private func move(of entity: EntityMigration) throws(StorageError) -> EntityMove {
        guard let before = source.entity(named: entity.source), let after = target.entity(named: entity.target) else {
            let isOld = source.entity(named: entity.source) == nil
            throw .invalidModel(
                "There is no entity '\(isOld ? entity.source : entity.target)' in version "
                    + "'\(isOld ? plan.source.version : plan.target.version)'. Correct the migration."
            )
        }
        var attributes: [String: Int] = [:]
        var origins: [EntityMove.Origin] = []
        var filled: [Int] = []
        for (slot, column) in after.columns.enumerated() {
            guard case .attribute(let type) = column.role else {
                origins.append(.none)
                continue
            }
            let old = entity.properties[column.name].flatMap(before.slot)
            guard let old, case .attribute(let oldType) = before.columns[old].role else {
                origins.append(.none)
                if !column.isOptional || !column.defaultValue.isNull { filled.append(slot) }
                continue
            }
            attributes[column.name] = old
            if entity.transformation == nil { try check(column, type, before.columns[old], oldType, entity) }
            origins.append(before.columns[old].kind == column.kind ? .copy(old) : .widen(old))
            if !column.isOptional, before.columns[old].isOptional { filled.append(slot) }
        }
        return EntityMove(
            source: before, target: after, transformation: entity.transformation, attributes: attributes,
            origins: origins, filledSlots: filled
        )
    }

    private func check(
        _ column: Column, _ type: AttributeType, _ old: Column, _ oldType: AttributeType, _ entity: EntityMigration
    ) throws(StorageError) {
        guard !oldType.widens(to: type) else { return }
        let name = old.name == column.name ? "" : " (as '\(entity.source).\(old.name)')"
        throw StorageError(
            .schemaMismatch,
            "'\(entity.target).\(column.name)' is \(type.rawValue) in version '\(plan.target.version)' but "
                + "\(oldType.rawValue) in '\(plan.source.version)'\(name). This conversion can lose data. Map "
                + "'\(entity.source)' by .transformEntity, or pass .recreateStoreOnModelMismatch."
        )
    }

    /// Finds the source trees of each target tree; a tree of the same name is first, and its rows keep their ids.
    private mutating func findFeeds() {
        for move in moves.compactMap(\.self) where feeds[move.target.root]?.contains(move.source.root) != true {
            feeds[move.target.root, default: []].append(move.source.root)
        }
        for (root, sources) in feeds {
            let name = target.entities[root].name
            let same = sources.filter { source.entities[$0].name == name }
            feeds[root] = same + sources.filter { !same.contains($0) }.sorted()
        }
    }
}
