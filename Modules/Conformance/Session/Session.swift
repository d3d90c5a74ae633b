import CofferStorage

/// An open store in a case, with short methods for commits and requests.
struct Session: Sendable {
    let store: any StorageInterface
    let layout: ModelLayout
    let metadata: StoreMetadata

    /// An entity, to make rows and requests with.
    func entity(_ name: EntityName) throws -> TestEntity {
        guard let entity = layout.entity(named: name) else { throw Mismatch("The model has no entity '\(name)'.") }
        return TestEntity(layout: layout, entity: entity)
    }

    /// Reserves keys for an entity.
    func reserve(_ name: EntityName, _ count: Int = 1) throws -> Range<Int64> {
        try store.reserveKeys(count, root: entity(name).entity.root)
    }

    /// Reserves a key.
    func newKey(_ name: EntityName) throws -> Int64 { try reserve(name).lowerBound }

    @discardableResult
    func commit(_ build: (inout ChangeSet) throws -> Void) throws -> CommitResult {
        var changes = ChangeSet()
        try build(&changes)
        return try store.commit(changes)
    }

    /// Inserts one row in a commit of its own.
    @discardableResult
    func insert(_ name: EntityName, _ values: [String: Value] = [:]) throws -> Int64 {
        let key = try newKey(name)
        try commit { try $0.inserts.append(.init(row: entity(name).row(key, values))) }
        return key
    }

    /// The row with a key, or a failure when there is none.
    func row(_ name: EntityName, _ key: Int64) throws -> Row {
        let root = try entity(name).entity.root
        guard let row = try store.read({ reader throws(StorageError) in try reader.row(root: root, key: key) }) else {
            throw Mismatch("  expected: a '\(name)' with the key \(key)\n  found:    none")
        }
        return row
    }

    func exists(_ name: EntityName, _ key: Int64) throws -> Bool {
        let root = try entity(name).entity.root
        return try store.read { reader throws(StorageError) in try reader.row(root: root, key: key) } != nil
    }

    func rows(_ request: RowRequest) throws -> [Row] {
        try store.read { reader throws(StorageError) in try reader.rows(request) }
    }

    func keys(_ request: RowRequest) throws -> [Int64] {
        try store.read { reader throws(StorageError) in try reader.keys(request) }
    }

    func count(_ request: RowRequest) throws -> Int {
        try store.read { reader throws(StorageError) in try reader.count(request) }
    }

    func values(_ request: ValueRequest) throws -> [[Value]] {
        try store.read { reader throws(StorageError) in try reader.values(request) }
    }

    /// The keys of the rows that a to-many relationship leads to.
    func related(_ relationship: Int, of owner: Int64) throws -> [Int64] {
        try related(relationship, of: [owner])[owner] ?? []
    }

    /// The keys of the rows that a to-many relationship leads to, by owner; owners that lead to none are left out.
    func related(_ relationship: Int, of owners: [Int64]) throws -> [Int64: [Int64]] {
        let found = try store.read { reader throws(StorageError) in try reader.related(relationship, of: owners) }
        var result: [Int64: [Int64]] = [:]
        for one in found {
            try expect(result[one.owner] == nil, "each owner once, and \(one.owner) came twice")
            result[one.owner] = one.rows.map(\.key)
        }
        return result.filter { !$0.value.isEmpty }
    }
}
