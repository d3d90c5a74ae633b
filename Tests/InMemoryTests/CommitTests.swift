import CofferInMemory
import CofferStorage
import Foundation
import Testing

/// Commits of inserts with equal unique values, of conflicting updates, and of changes of deleted rows.
struct CommitTests {
    private let layout: ModelLayout
    private let store: InMemoryStore

    init() throws {
        layout = try RowModel.layout()
        store = InMemoryStore()
        _ = try store.open(layout)
    }

    private func person(
        _ key: Int64, _ values: [String: Value], version: Int64 = 1, entity: Int = RowModel.person
    ) throws -> Row {
        try RowModel.row(entity, key, values, version: version, in: layout)
    }

    private func insert(_ rows: Row...) throws -> CommitResult {
        var changes = ChangeSet()
        changes.inserts = rows.map { .init(row: $0) }
        return try store.commit(changes)
    }

    private func update(_ rows: (Row, [Int])...) throws -> CommitResult {
        var changes = ChangeSet()
        for (row, slots) in rows {
            var columns = ColumnSet()
            for slot in slots { columns.insert(slot) }
            changes.updates.append(.init(row: row, columns: columns))
        }
        return try store.commit(changes)
    }

    private func row(_ key: Int64, root: Int = RowModel.person) throws -> Row? {
        try store.makeReader().row(root: root, key: key)
    }

    private func keys(_ email: String) throws -> [Int64] {
        let request = RowRequest(
            entity: RowModel.person,
            predicate: .compare(.column(slot: RowModel.email, kind: .text), .equal, .value(.text(email)))
        )
        return try store.makeReader().keys(request)
    }

    @Test func `an insert with an existing unique value is merged into the existing row`() throws {
        _ = try insert(person(1, ["email": .text("a"), "age": .integer(1), "name": .text("old")]))
        let result = try insert(person(2, ["email": .text("a"), "age": .integer(2)]))
        #expect(result.merges == [.init(root: 0, from: 2, into: 1)])
        #expect(result.refreshed.map(\.key) == [1])
        let row = try #require(try row(1))
        #expect(row.version == 2)
        #expect(row.integer(RowModel.age) == 2)
        #expect(row.isNull(RowModel.name))
        #expect(try self.row(2) == nil)
        #expect(try keys("a") == [1])
    }

    @Test func `two inserts of one change set with equal unique values become one row`() throws {
        let result = try insert(
            person(1, ["email": .text("a"), "age": .integer(1)]), person(2, ["email": .text("a"), "age": .integer(2)]),
            person(3, ["email": .text("a"), "age": .integer(3)])
        )
        #expect(result.merges == [.init(root: 0, from: 2, into: 1), .init(root: 0, from: 3, into: 1)])
        #expect(result.refreshed.map { [$0.key, $0.version, $0.integer(RowModel.age)] } == [[1, 1, 3]])
        #expect(try store.makeReader().count(RowRequest(entity: 0)) == 1)
    }

    @Test func `inserts with equal unique values among many inserts become one row`() throws {
        var changes = ChangeSet()
        for key in 1...2_000 {
            let email = Value.text(key == 1_500 ? "7" : String(key))
            changes.inserts.append(.init(row: try person(Int64(key), ["email": email, "age": .integer(Int64(key))])))
        }
        let result = try store.commit(changes)
        #expect(result.merges == [.init(root: 0, from: 1_500, into: 7)])
        #expect(try store.makeReader().count(RowRequest(entity: 0)) == 1_999)
        #expect(try row(7)?.integer(RowModel.age) == 1_500)
        #expect(try keys("7") == [7])
        #expect(try keys("1499") == [1_499])
    }

    @Test func `rows with null in a unique attribute are not merged`() throws {
        let result = try insert(person(1, [:]), person(2, [:]))
        #expect(result.merges.isEmpty)
        #expect(try store.makeReader().count(RowRequest(entity: 0)) == 2)
    }

    @Test func `references and links to a merged row refer to the surviving row`() throws {
        _ = try insert(person(1, ["email": .text("a")]))
        var changes = ChangeSet()
        changes.inserts = [
            .init(row: try RowModel.row(RowModel.pet, 1, ["owner": .integer(2)], in: layout)),
            .init(row: try person(2, ["email": .text("a"), "boss": .integer(2)])),
            .init(row: try RowModel.row(RowModel.tag, 1, ["name": .text("t")], in: layout)),
        ]
        changes.links = [.init(table: 0, first: 2, second: 1, firstPosition: 0)]
        let result = try store.commit(changes)
        let reader = try store.makeReader()
        let person = layout.entities[RowModel.person]
        for name in ["pets", "staff", "tags"] {
            let relationship = try #require(person.relationship(named: name))
            #expect(try reader.related(relationship, of: [1])[0].rows.map(\.key) == [1], "\(name)")
            #expect(try reader.related(relationship, of: [2]).flatMap(\.rows).isEmpty, "\(name)")
        }
        #expect(Set(result.refreshed.map { [$0.entity, Int($0.key)] }) == [[RowModel.pet, 1], [RowModel.person, 1]])
    }

    @Test func `an insert with the unique values of two rows is refused and changes nothing`() throws {
        let model = StoreModel(
            version: "1",
            entities: [
                EntityDescription(
                    name: "User",
                    attributes: [
                        .init(name: "mail", type: .stringAttributeType),
                        .init(name: "nick", type: .stringAttributeType),
                    ], uniqueConstraints: [["mail"], ["nick"]]
                )
            ]
        )
        let layout = try ModelLayout(model)
        let store = InMemoryStore()
        _ = try store.open(layout)
        var changes = ChangeSet()
        for (key, mail, nick) in [(1, "a", "a"), (2, "b", "b"), (3, "a", "b")] as [(Int64, String, String)] {
            changes.inserts.append(
                .init(row: try RowModel.row(0, key, ["mail": .text(mail), "nick": .text(nick)], in: layout))
            )
        }
        let error = #expect(throws: StorageError.self) { try store.commit(changes) }
        #expect(
            error?.description
                == "uniqueViolation: 'User.mail' and 'User.nick' must be unique, but another row already has this "
                + "value. Change one of the rows, or merge them.")
        #expect(try store.makeReader().count(RowRequest(entity: 0)) == 0)
    }

    @Test func `an update that breaks a constraint throws and names the property but not the value`() throws {
        _ = try insert(person(1, ["email": .text("secret")]), person(2, ["email": .text("b")]))
        let error = #expect(throws: StorageError.self) {
            _ = try update((person(2, ["email": .text("secret")]), [RowModel.email]))
        }
        #expect(error?.code == .uniqueViolation)
        #expect(
            error?.description
                == "uniqueViolation: 'Person.email' must be unique, but another row already has this value. "
                + "Change one of the rows, or merge them.")
        #expect(error?.violatedConstraints == [.init(entity: "Person", attributes: ["email"])])
        #expect(try row(2)?.text(RowModel.email) == "b")
    }

    @Test func `two rows exchange their unique values in one commit`() throws {
        _ = try insert(person(1, ["email": .text("a")]), person(2, ["email": .text("b")]))
        _ = try update(
            (person(1, ["email": .text("b")]), [RowModel.email]), (person(2, ["email": .text("a")]), [RowModel.email])
        )
        #expect(try keys("a") == [2])
        #expect(try keys("b") == [1])
    }

    @Test func `the unique value of a row deleted in the same commit is free`() throws {
        _ = try insert(person(1, ["email": .text("a")]))
        var changes = ChangeSet()
        changes.deletes = [.init(entity: RowModel.person, key: 1)]
        changes.inserts = [.init(row: try person(2, ["email": .text("a")]))]
        #expect(try store.commit(changes).merges.isEmpty)
        #expect(try keys("a") == [2])
    }

    @Test func `an update of a missing row is a conflict`() throws {
        let error = #expect(throws: StorageError.self) { _ = try update((person(7, [:]), [RowModel.age])) }
        #expect(error?.code == .conflict)
    }

    @Test func `changes of two writers to different columns are both saved`() throws {
        _ = try insert(person(1, ["age": .integer(1), "name": .text("a")]))
        let first = try update((person(1, ["age": .integer(2), "name": .text("a")]), [RowModel.age]))
        #expect(first.refreshed.isEmpty)
        let second = try update((person(1, ["age": .integer(1), "name": .text("b")]), [RowModel.name]))
        #expect(second.refreshed.map { $0.integer(RowModel.age) } == [2])
        let row = try #require(try row(1))
        #expect(row.version == 3)
        #expect(row.text(RowModel.name) == "b")
    }

    @Test func `deleting a missing row does nothing`() throws {
        var changes = ChangeSet()
        changes.deletes = [.init(entity: RowModel.person, key: 9)]
        _ = try store.commit(changes)
    }

    @Test func `a row of a sub-entity is not merged into a row of its parent entity`() throws {
        _ = try insert(person(1, ["email": .text("a")]))
        let error = #expect(throws: StorageError.self) {
            _ = try insert(person(2, ["email": .text("a")], entity: RowModel.employee))
        }
        #expect(
            error?.description
                == "uniqueViolation: 'Person.email' must be unique, but a row of 'Person', not of 'Employee', already "
                + "has this value. Change one of the rows, or merge them.")
        _ = try insert(person(3, ["email": .text("b"), "title": .text("t")], entity: RowModel.employee))
        _ = try insert(person(4, ["email": .text("b"), "age": .integer(4)]))
        #expect(try row(3)?.value(RowModel.age, .integer) == .integer(4))
    }

    @Test func `a row that is written repeatedly does not grow`() throws {
        _ = try insert(person(1, ["name": .text("start")]))
        for round in 1...50 {
            let old = try #require(try row(1))
            let new = RowBuilder(copying: old, room: 40)
            let fits = new.write(text: "round \(round) with some more text", RowModel.name)
            #expect(fits)
            var columns = ColumnSet()
            columns.insert(RowModel.name)
            var changes = ChangeSet()
            changes.updates = [.init(row: new.build(), columns: columns)]
            _ = try store.commit(changes)
        }
        #expect(try #require(try row(1)).tailSize < 64)
    }

    @Test func `rows that do not fit the model are refused`() throws {
        let misfits = [
            RowBuilder(entity: 99, key: 1, version: 1, slotCount: 1, tailCapacity: 0).build(),
            RowBuilder(entity: -1, key: 1, version: 1, slotCount: 1, tailCapacity: 0).build(),
            RowBuilder(entity: RowModel.pet, key: 1, version: 1, slotCount: 1, tailCapacity: 0).build(),
            try RowModel.row(RowModel.pet, -4, [:], in: layout),
        ]
        for row in misfits {
            let error = #expect(throws: StorageError.self) { _ = try insert(row) }
            #expect(error?.code == .invalidRequest)
        }
        let builder = RowBuilder(copying: try RowModel.row(RowModel.pet, 1, [:], in: layout))
        builder.write(integer: .max, 0)
        let wrong = builder.build()
        #expect(throws: StorageError.self) { _ = try insert(wrong) }
        let notANumber = try person(1, ["score": .double(.nan)])
        #expect(throws: StorageError.self) { _ = try insert(notANumber) }
        _ = try insert(person(1, [:]))
        #expect(throws: StorageError.self) { _ = try insert(person(1, [:])) }
        var changes = ChangeSet()
        changes.links = [.init(table: 5, first: 1, second: 1)]
        #expect(throws: StorageError.self) { try store.commit(changes) }
        #expect(try store.makeReader().count(RowRequest(entity: 0)) == 1)
    }
}
