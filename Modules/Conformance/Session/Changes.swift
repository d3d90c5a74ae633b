import CofferStorage

/// The changes of one commit, which a case adds by the names of entities, rows and columns.
@dynamicMemberLookup
struct Changes {
    let session: Session
    var set = ChangeSet()

    /// A part of the change set, such as its links.
    subscript<Part>(dynamicMember part: WritableKeyPath<ChangeSet, Part>) -> Part {
        get { set[keyPath: part] }
        set { set[keyPath: part] = newValue }
    }

    /// Inserts a row; if no key is passed, the row gets a new key.
    @discardableResult
    mutating func insert(_ name: EntityName, _ values: [String: Value] = [:], key: Int64? = nil) throws -> Int64 {
        let key = try key ?? session.newKey(name)
        try set.inserts.append(.init(row: session.entity(name).row(key, values)))
        return key
    }

    /// Updates some columns of a row that the case has read.
    mutating func update(_ row: Row, _ values: [String: Value]) throws {
        try set.updates.append(session.entity(of: row).update(row, values))
    }

    /// Reads the row with a name, and updates some of its columns.
    mutating func update(_ name: String, _ values: [String: Value]) throws { try update(session.row(name), values) }

    /// Deletes the row with a name, whether it exists or not.
    mutating func delete(_ name: String) throws {
        let row = try session.named(name)
        try delete(row.entity, key: row.key)
    }

    /// Deletes the row with a key, whether it exists or not.
    mutating func delete(_ name: EntityName, key: Int64) throws {
        try set.deletes.append(.init(entity: session.entity(name).entity.index, key: key))
    }
}
