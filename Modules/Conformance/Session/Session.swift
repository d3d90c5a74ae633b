import CofferStorage

/// An open store in a case, with short methods for commits and requests.
struct Session: Sendable {
    /// A row that a case identifies by a name instead of a key.
    struct NamedRow {
        let root: EntityName
        let entity: EntityName
        let key: Int64
    }

    let store: any StorageInterface
    let layout: ModelLayout
    let metadata: StoreMetadata
    /// The rows that have names: the rows of the town, if the store contains it.
    var namedRows: [String: NamedRow]

    /// Opens a store.
    init(_ store: any StorageInterface, _ layout: ModelLayout, namedRows: [String: NamedRow] = [:]) throws {
        self.store = store
        self.layout = layout
        self.namedRows = namedRows
        metadata = try store.open(layout)
    }

    // MARK: Entities and names

    /// Returns an entity, which creates rows and requests.
    func entity(_ name: EntityName) throws -> TestEntity { try TestEntity(layout, name) }

    /// The entity of a row.
    func entity(of row: Row) -> TestEntity { TestEntity(layout: layout, entity: layout.entities[row.entity]) }

    /// The index of a relationship.
    func relationship(_ name: String) throws -> Int { try layout.relationship(name) }

    /// Returns the index of the table that stores a many-to-many relationship.
    func linkTable(_ name: String) throws -> Int { try link(name, 0, 0).table }

    /// Returns a link from an owner in a many-to-many relationship, for either side of the table.
    func link(
        _ relationship: String, _ owner: Int64, _ other: Int64, place: Int64? = nil, inversePlace: Int64? = nil
    ) throws -> ChangeSet.Link {
        guard case .links(let table, let isFirst) = layout.relationships[try self.relationship(relationship)].storage
        else { throw Mismatch("'\(relationship)' has no table of links.") }
        return isFirst
            ? .init(table: table, first: owner, second: other, firstPosition: place, secondPosition: inversePlace)
            : .init(table: table, first: other, second: owner, firstPosition: inversePlace, secondPosition: place)
    }

    /// Returns the entity and the key of the row with a name.
    func named(_ name: String) throws -> NamedRow {
        guard let row = namedRows[name] else { throw Mismatch("No row is called '\(name)'.") }
        return row
    }

    /// The key of the row with a name.
    func key(_ name: String) throws -> Int64 { try named(name).key }

    /// Returns the names of the rows with some keys; a key without a name is shown as its number.
    func names(_ keys: [Int64], in entity: TestEntity) -> [String] {
        let root = layout.entities[entity.entity.root].name
        let candidates = namedRows.filter { $1.root == root }.map { ($1.key, $0) }
        let byKey = Dictionary(candidates, uniquingKeysWith: { first, _ in first })
        return keys.map { byKey[$0] ?? "\($0)" }
    }

    // MARK: Commits

    /// Reserves keys for an entity.
    func reserve(_ name: EntityName, _ count: Int = 1) throws -> Range<Int64> {
        try store.reserveKeys(count, root: entity(name).entity.root)
    }

    /// Reserves a key.
    func newKey(_ name: EntityName) throws -> Int64 { try reserve(name).lowerBound }

    @discardableResult
    func commit(_ build: (inout Changes) throws -> Void) throws -> CommitResult {
        var changes = Changes(session: self)
        try build(&changes)
        return try store.commit(changes.set)
    }

    /// Inserts one row in a commit of its own.
    @discardableResult
    func insert(_ name: EntityName, _ values: [String: Value] = [:]) throws -> Int64 {
        try insert(name, all: [values])[0]
    }

    /// Inserts rows in one commit of their own.
    @discardableResult
    func insert(_ name: EntityName, all rows: [[String: Value]]) throws -> [Int64] {
        let keys = Array(try reserve(name, rows.count))
        try commit { changes in
            for (key, values) in zip(keys, rows) { try changes.insert(name, values, key: key) }
        }
        return keys
    }

    /// Updates the row with a name in a commit of its own.
    @discardableResult
    func update(_ name: String, _ values: [String: Value]) throws -> CommitResult {
        try commit { try $0.update(name, values) }
    }

    /// Updates a row that the case has read, in a commit of its own.
    @discardableResult
    func update(_ row: Row, _ values: [String: Value]) throws -> CommitResult {
        try commit { try $0.update(row, values) }
    }

    /// Deletes the rows with some names in a commit of its own.
    func delete(_ names: String...) throws { try commit { for name in names { try $0.delete(name) } } }

    // MARK: Reading

    func read<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result {
        let reader = try store.makeReader()
        defer { reader.finish() }
        return try body(reader)
    }

    /// Returns the row with a name; throws a failure if the row does not exist.
    func row(_ name: String) throws -> Row {
        let named = try named(name)
        return try row(named.root, named.key)
    }

    /// Returns the row with a key; throws a failure if the row does not exist.
    func row(_ name: EntityName, _ key: Int64) throws -> Row {
        let root = try entity(name).entity.root
        guard let row = try read({ try $0.row(root: root, key: key) }) else {
            throw Mismatch("  expected: a '\(name)' with the key \(key)\n  found:    none")
        }
        return row
    }

    func exists(_ name: EntityName, _ key: Int64) throws -> Bool {
        let root = try entity(name).entity.root
        return try read { try $0.row(root: root, key: key) } != nil
    }

    /// Returns the value of a column in the row with a key.
    func value(_ column: String, of name: EntityName, _ key: Int64) throws -> Value {
        let row = try row(name, key)
        return try entity(of: row).value(column, of: row)
    }

    /// The values in a column of the rows that a request finds.
    func values(of column: String, in request: RowRequest) throws -> [Value] {
        try rows(request).map { try entity(of: $0).value(column, of: $0) }
    }

    func rows(_ request: RowRequest) throws -> [Row] { try read { try $0.rows(request) } }

    func keys(_ request: RowRequest) throws -> [Int64] { try read { try $0.keys(request) } }

    func count(_ request: RowRequest) throws -> Int { try read { try $0.count(request) } }

    func values(_ request: ValueRequest) throws -> [[Value]] { try read { try $0.values(request) } }

    /// Returns the keys of the related rows in a to-many relationship.
    func related(_ relationship: String, of owner: Int64) throws -> [Int64] {
        try related(self.relationship(relationship), of: [owner])[owner] ?? []
    }

    /// Returns the keys of the related rows by owner, without the owners that have no related rows.
    func related(_ relationship: Int, of owners: [Int64]) throws -> [Int64: [Int64]] {
        var result: [Int64: [Int64]] = [:]
        for one in try read({ try $0.related(relationship, of: owners) }) {
            try expect(result[one.owner] == nil, "each owner once, and \(one.owner) was returned twice")
            result[one.owner] = one.rows.map(\.key)
        }
        return result.filter { !$0.value.isEmpty }
    }

    /// All rows, each as a line.
    func lines() throws -> [String] {
        try layout.entities.filter { $0.root == $0.index }.flatMap { root in
            try rows(RowRequest(entity: root.index)).map { $0.shown(in: layout) }
        }
    }
}
