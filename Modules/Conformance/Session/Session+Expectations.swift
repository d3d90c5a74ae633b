import CofferStorage

/// Checks rows, related rows, requests and commits in a case.
extension Session {
    /// Checks values of the row with a name, and its version if one is passed.
    func expectRow(_ name: String, _ values: [String: Value] = [:], version: Int64? = nil, _ note: String = "") throws {
        try expectRow(row(name), "'\(name)'", values, version: version, note)
    }

    /// Checks values of the row with a key, and its version if one is passed.
    func expectRow(
        _ name: EntityName, _ key: Int64, _ values: [String: Value] = [:], version: Int64? = nil, _ note: String = ""
    ) throws {
        try expectRow(row(name, key), "the '\(name)' \(key)", values, version: version, note)
    }

    /// Checks values of a row that was read, and its version if one is passed.
    func expectRow(
        _ row: Row, _ what: String, _ values: [String: Value] = [:], version: Int64? = nil, _ note: String = ""
    ) throws {
        let note = note.isEmpty ? "" : ": \(note)"
        let entity = entity(of: row)
        for (column, value) in values.sorted(by: { $0.key < $1.key }) {
            try expectEqual(try entity.value(column, of: row), value, "the '\(column)' of \(what)\(note)")
        }
        if let version { try expectEqual(row.version, version, "the version of \(what)\(note)") }
    }

    /// Checks that rows have the same entities, keys, versions and values.
    func expectRows(_ found: [Row], _ expected: [Row], _ what: @autoclosure () -> String) throws {
        try expectEqual(found.map { $0.shown(in: layout) }, expected.map { $0.shown(in: layout) }, what())
    }

    /// Checks the related rows of some owners, in their order; rows and owners are identified by name.
    func expectRelated(
        _ relationship: String, _ expected: KeyValuePairs<String, [String]>, _ note: String = ""
    ) throws {
        let end = TestEntity(layout, endOf: try self.relationship(relationship))
        for (name, others) in expected {
            let found = names(try related(relationship, of: key(name)), in: end)
            try expectEqual(found, others, "the '\(relationship)' of '\(name)'" + (note.isEmpty ? "" : ": \(note)"))
        }
    }

    /// Checks that a request returns the rows with some names, in their order.
    func expectNames(
        of entity: TestEntity, where predicate: RowPredicate = .constant(true), order: [RowSort] = [], offset: Int = 0,
        limit: Int? = nil, _ expected: [String], _ what: @autoclosure () -> String
    ) throws {
        let request = entity.request(where: predicate, order: order, offset: offset, limit: limit)
        try expectEqual(names(try rows(request).map(\.key), in: entity), expected, what())
    }

    /// Checks the number of rows of an entity.
    func expectCount(of name: EntityName, _ expected: Int, _ what: @autoclosure () -> String) throws {
        try expectEqual(try count(entity(name).request()), expected, what())
    }

    /// Checks the values of a request.
    func expectValues(_ request: ValueRequest, _ expected: [[Value]], _ what: @autoclosure () -> String) throws {
        try expectEqual(try values(request), expected, what())
    }

    /// Checks that a commit is refused with a code, and with some words in the message.
    @discardableResult
    func expectRefused(
        _ code: StorageError.Code, naming words: [String] = [], _ what: @autoclosure () -> String,
        _ build: (inout Changes) throws -> Void
    ) throws -> StorageError {
        var changes = Changes(session: self)
        try build(&changes)
        return try expectThrows(code, naming: words, what()) { try store.commit(changes.set) }
    }

    /// Checks that a commit reported the current row with a key exactly once.
    func expectReported(_ name: EntityName, _ key: Int64, by result: CommitResult) throws {
        let row = try row(name, key)
        let root = entity(of: row).entity.root
        let reported = result.refreshed.filter { $0.key == key && layout.entities[$0.entity].root == root }
        try expectRows(reported, [row], "the '\(name)' \(key), as the commit reports it")
    }
}
