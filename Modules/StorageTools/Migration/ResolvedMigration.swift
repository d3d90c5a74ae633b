public import CofferStorage

/// A `MigrationPlan` with every name looked up, and found to be possible.
///
/// It addresses the rows of the source as the store that has them does, and those of the target by ``target``.
public final class ResolvedMigration: Sendable {
    /// The plan.
    public let plan: MigrationPlan
    /// The model before, as the store has it.
    public let source: ModelLayout
    /// The model after.
    public let target: ModelLayout
    /// To-one relationships of the target whose references may lead to rows that are not of their destination.
    ///
    /// When all rows are written, such references have to become null, with their positions.
    public let doubtfulReferences: [Int]
    /// The target's tables of links that may lead to rows that are not of their side's destination.
    ///
    /// When all rows are written, such links have to go.
    public let doubtfulLinks: [Int]

    /// By the index of the source's entity; nil where the rows go.
    let moves: [EntityMove?]
    /// By the index of the source's table.
    let linkMoves: [[LinkMove]]
    /// By the index of the source's entity: for relationships of the target, those of the source.
    let relationships: [[Int: Int]]
    /// By the root of the target, the roots in the source of the rows that go there; the first keep their keys.
    let feeds: [Int: [Int]]

    /// A plan for a store.
    ///
    /// - Parameter source: the model of the store's rows, which must be compatible with the plan's source.
    /// - Throws: `schemaMismatch` when the store has another model or a property cannot be carried over, `invalidModel`
    ///   when the plan contradicts itself.
    public init(_ plan: MigrationPlan, from source: ModelLayout) throws(StorageError) {
        guard source.model.isCompatible(with: plan.source) else {
            throw .schemaMismatch("the store", stored: source.model, opened: plan.source)
        }
        var resolver = MigrationResolver(plan, source, try ModelLayout(plan.target))
        try resolver.resolve()
        self.plan = plan
        self.source = source
        target = resolver.target
        moves = resolver.moves
        linkMoves = resolver.linkMoves
        relationships = resolver.relationships
        feeds = resolver.feeds
        doubtfulReferences = resolver.doubtfulReferences
        doubtfulLinks = resolver.doubtfulLinks
    }

    /// The roots in the source of the rows that go to a tree of the target.
    public func sources(ofTree root: Int) -> [Int] { feeds[root] ?? [] }

    /// Where the rows of an entity are found again, when nothing about them changes but the numbers of the slots.
    ///
    /// - Returns: the target's entity and, for each of its slots, that of the source; nil when the rows change or go.
    public func unchanged(_ entity: Int) -> (entity: Int, slots: [Int])? {
        guard let move = moves[entity], move.transformation == nil, move.newLinks.isEmpty, isKept(move.keys),
            move.filledSlots.isEmpty
        else { return nil }
        var slots: [Int] = []
        for origin in move.origins {
            switch origin {
            case .copy(let slot): slots.append(slot)
            case .reference(let slot, let keys) where isKept(keys): slots.append(slot)
            case .widen, .reference, .none: return nil
            }
        }
        return (move.target.index, slots)
    }

    /// The table of the target that has just the links of one of the source, when nothing about them changes.
    ///
    /// - Returns: the index of the target's table, and whether the first side became the second; nil when links change.
    public func unchangedLinks(_ table: Int) -> (table: Int, isFlipped: Bool)? {
        guard let move = linkMoves[table].first, linkMoves[table].count == 1, isKept(move.first), isKept(move.second),
            !linkMoves.indices.contains(where: { other in
                other != table && linkMoves[other].contains { $0.table == move.table }
            }),
            !moves.contains(where: { $0?.newLinks.contains { $0.table == move.table } ?? false })
        else { return nil }
        return (move.table, move.isFlipped)
    }

    private func isKept(_ keys: KeyMove) -> Bool { feeds[keys.target]?.first == keys.source }
}
