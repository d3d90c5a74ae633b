public import CofferStorage

/// A migration step with resolved names, which maps entities, slots and link tables to the next version.
///
/// It is created from a `MigrationPlan`, and a store can carry it out.
///
/// It identifies the rows of the source by the layout of their store, and the rows of the target by ``target``.
public final class ResolvedMigration: Sendable {
    let resolved: MigrationResolver

    /// The plan.
    public var plan: MigrationPlan { resolved.plan }
    /// The model before the step, with the layout of the store.
    public var source: ModelLayout { resolved.source }
    /// The model after the step.
    public var target: ModelLayout { resolved.target }
    /// To-one relationships of the target whose references may identify rows of a wrong entity.
    ///
    /// After all rows are written, such references, and their positions, must be set to null.
    public var doubtfulReferences: [Int] { resolved.doubtfulReferences }
    /// The target's tables of links that may identify rows of a wrong entity.
    ///
    /// After all rows are written, such links must be deleted.
    public var doubtfulLinks: [Int] { resolved.doubtfulLinks }

    /// Creates a migration of a store by a plan.
    ///
    /// - Parameter source: the model of the store's rows, which must be compatible with the plan's source.
    /// - Throws: `schemaMismatch` if the store has another model or a property cannot be converted, `invalidModel` if
    ///   the plan contradicts itself.
    public init(_ plan: MigrationPlan, from source: ModelLayout) throws(StorageError) {
        guard source.model.isCompatible(with: plan.source) else {
            throw .schemaMismatch("The store", stored: source.model, opened: plan.source)
        }
        var resolver = MigrationResolver(plan, source, try ModelLayout(plan.target))
        try resolver.resolve()
        resolved = resolver
    }

    /// The roots of the source whose rows a tree of the target receives.
    public func sources(ofTree root: Int) -> [Int] { resolved.feeds[root] ?? [] }

    /// Returns the slots of an entity's rows in the target, if only the numbers of the slots change.
    ///
    /// - Returns: the target's entity, and the slot in the source for each of its slots; nil if the rows change or are
    ///   dropped.
    public func unchanged(_ entity: Int) -> (entity: Int, slots: [Int])? {
        guard let move = resolved.moves[entity], move.transformation == nil, move.newLinks.isEmpty, isKept(move.keys),
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

    /// Returns the table of the target with the unchanged links of a table of the source.
    ///
    /// - Returns: the index of the target's table, and whether the first side became the second; nil if links change.
    public func unchangedLinks(_ table: Int) -> (table: Int, isFlipped: Bool)? {
        let linkMoves = resolved.linkMoves
        guard let move = linkMoves[table].first, linkMoves[table].count == 1, isKept(move.first), isKept(move.second),
            !linkMoves.indices.contains(where: { other in
                other != table && linkMoves[other].contains { $0.table == move.table }
            }),
            !resolved.moves.contains(where: { $0?.newLinks.contains { $0.table == move.table } ?? false })
        else { return nil }
        return (move.table, move.isFlipped)
    }

    private func isKept(_ keys: KeyMove) -> Bool { resolved.feeds[keys.target]?.first == keys.source }
}
