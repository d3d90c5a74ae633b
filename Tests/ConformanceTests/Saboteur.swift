import CofferStorage
import CofferStorageTools
import Testing

/// A defect, and the id of the case that must detect it.
final class Saboteur: Sendable, CustomTestStringConvertible {
    typealias Open = @Sendable (any StorageInterface, ModelLayout) throws(StorageError) -> StoreMetadata
    typealias Commit = @Sendable (any StorageInterface, ChangeSet) throws(StorageError) -> CommitResult
    typealias Migrate = @Sendable (any StorageInterface, [MigrationPlan]) throws(StorageError) -> StoreMetadata
    typealias Values = @Sendable (any StorageReader, ValueRequest) throws(StorageError) -> [[Value]]

    let name: String
    let id: String
    let isTorn: Bool
    let request: (@Sendable (RowRequest) -> RowRequest)?
    let counted: (@Sendable (RowRequest) -> RowRequest)?
    let rows: (@Sendable ([Row], RowRequest) -> [Row])?
    let related: (@Sendable ([RelatedRows]) -> [RelatedRows])?
    let members: (@Sendable ([RelatedMembers]) -> [RelatedMembers])?
    let lastPlaces: (@Sendable ([Int64: Int64]) -> [Int64: Int64])?
    /// Whether the first row is missing when rows are passed on one by one.
    let skipsRows: Bool
    let values: Values?
    let keys: (@Sendable (Range<Int64>) -> Range<Int64>)?
    let migrate: Migrate?
    let open: Open?
    let close: (@Sendable (any StorageInterface) -> Void)?
    /// The changes to rows and links that are loaded.
    let loadedRows: (@Sendable ([Row]) -> [Row])?
    let loadedLinks: (@Sendable ([ChangeSet.Link]) -> [ChangeSet.Link])?
    let forgetsKeys: Bool
    let skipsVerifying: Bool
    private let sabotagedCommit:
        (@Sendable (Saboteur, any StorageInterface, ChangeSet) throws(StorageError) -> CommitResult)?
    let layout = Locked<ModelLayout?>(nil)

    init(
        _ name: String, caughtBy id: String, isTorn: Bool = false,
        request: (@Sendable (RowRequest) -> RowRequest)? = nil, counted: (@Sendable (RowRequest) -> RowRequest)? = nil,
        rows: (@Sendable ([Row], RowRequest) -> [Row])? = nil,
        related: (@Sendable ([RelatedRows]) -> [RelatedRows])? = nil,
        members: (@Sendable ([RelatedMembers]) -> [RelatedMembers])? = nil,
        lastPlaces: (@Sendable ([Int64: Int64]) -> [Int64: Int64])? = nil, skipsRows: Bool = false,
        values: Values? = nil,
        keys: (@Sendable (Range<Int64>) -> Range<Int64>)? = nil, migrate: Migrate? = nil, open: Open? = nil,
        close: (@Sendable (any StorageInterface) -> Void)? = nil,
        loadedRows: (@Sendable ([Row]) -> [Row])? = nil,
        loadedLinks: (@Sendable ([ChangeSet.Link]) -> [ChangeSet.Link])? = nil, forgetsKeys: Bool = false,
        skipsVerifying: Bool = false,
        commit: (@Sendable (Saboteur, any StorageInterface, ChangeSet) throws(StorageError) -> CommitResult)? = nil
    ) {
        self.name = name
        self.id = id
        self.isTorn = isTorn
        self.request = request
        self.counted = counted
        self.rows = rows
        self.related = related
        self.members = members
        self.lastPlaces = lastPlaces
        self.skipsRows = skipsRows
        self.values = values
        self.keys = keys
        self.migrate = migrate
        self.open = open
        self.close = close
        self.loadedRows = loadedRows
        self.loadedLinks = loadedLinks
        self.forgetsKeys = forgetsKeys
        self.skipsVerifying = skipsVerifying
        sabotagedCommit = commit
    }

    var testDescription: String { "\(name) → \(id)" }

    var commit: Commit? {
        guard let sabotagedCommit else { return nil }
        return { store, changes throws(StorageError) in try sabotagedCommit(self, store, changes) }
    }

    /// Returns a saboteur that changes values before they are stored.
    static func corrupting(
        _ name: String, caughtBy id: String, _ corrupt: @escaping @Sendable (Value) -> Value
    ) -> Saboteur {
        Saboteur(
            name, caughtBy: id,
            commit: { me, store, changes throws(StorageError) in
                guard let layout = me.layout.withLock({ $0 }) else { return try store.commit(changes) }
                let corrupted = { (row: Row) -> Row in
                    let kinds = layout.entities[row.entity].kinds
                    let values = kinds.indices.map { corrupt(row.value($0, kinds[$0])) }
                    return Row.make(
                        entity: row.entity, key: row.key, version: row.version, values: values, kinds: kinds)!
                }
                var changes = changes
                for index in changes.inserts.indices {
                    changes.inserts[index].row = corrupted(changes.inserts[index].row)
                }
                for index in changes.updates.indices {
                    changes.updates[index].row = corrupted(changes.updates[index].row)
                }
                return try store.commit(changes)
            })
    }

    /// Returns a saboteur that omits a part of each entity's migration.
    static func migrating(
        _ name: String, caughtBy id: String, _ forget: @escaping @Sendable (inout EntityMigration) -> Void
    ) -> Saboteur {
        Saboteur(
            name, caughtBy: id,
            migrate: { store, steps throws(StorageError) in
                var steps = steps
                for step in steps.indices {
                    for entity in steps[step].entities.indices { forget(&steps[step].entities[entity]) }
                }
                return try store.migrate(along: steps)
            })
    }

    /// Returns a saboteur that replaces a condition of a commit with another one, or ignores it.
    static func conditioning(
        _ name: String, caughtBy id: String,
        _ mistake: @escaping @Sendable (ChangeSet.Condition) -> ChangeSet.Condition?
    ) -> Saboteur {
        Saboteur(
            name, caughtBy: id,
            commit: { _, store, changes throws(StorageError) in
                var changes = changes
                changes.conditions = changes.conditions.compactMap(mistake)
                return try store.commit(changes)
            })
    }

    /// Returns a saboteur that replaces a condition with another condition.
    static func misreading(
        _ name: String, caughtBy id: String, _ misread: @escaping @Sendable (RowPredicate) -> RowPredicate?
    ) -> Saboteur {
        Saboteur(
            name, caughtBy: id,
            request: { request in
                var request = request
                request.predicate = request.predicate.replacing(misread)
                return request
            })
    }
}

extension RowPredicate {
    /// Returns the condition with the closure's replacements for its parts, outermost first.
    func replacing(_ replacement: (RowPredicate) -> RowPredicate?) -> RowPredicate {
        if let other = replacement(self) { return other }
        return switch self {
        case .and(let parts): .and(parts.map { $0.replacing(replacement) })
        case .or(let parts): .or(parts.map { $0.replacing(replacement) })
        case .not(let part): .not(part.replacing(replacement))
        case .some(let path, let relationship, let part):
            .some(from: path, relationship: relationship, part.replacing(replacement))
        case .constant, .compare, .text, .isIn, .isEntity: self
        }
    }
}
