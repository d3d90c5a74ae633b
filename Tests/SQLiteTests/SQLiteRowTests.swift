import CofferSQLite
import CofferStorage
import Foundation
import Testing

struct SQLiteRowTests {
    @Test(arguments: [
        [
            "name": Value.text("Ada \u{0} Žofie"), "age": .integer(.min), "score": .double(-0.1),
            "active": .boolean(true),
        ],
        ["name": .text(""), "age": .integer(.max), "score": .double(.infinity), "active": .boolean(false)],
        [
            "name": .text("x"), "age": .integer(0), "active": .boolean(true), "born": .date(-1.000_000_01),
            "photo": .blob(Data()),
        ],
        ["name": .text("y"), "age": .integer(0), "active": .boolean(true), "photo": .blob(Data([0, 255, 7]))],
        ["balance": .decimal(Decimal(string: "-12345678901234567890.000000001") ?? 0)],
    ])
    func `every kind of value is read back unchanged`(_ values: [String: Value]) throws {
        let fixture = try SQLiteFixture()
        try fixture.insert(fixture.row("Person", 7, values))
        let row = try fixture.row("Person", 7)
        for column in fixture.layout.entities[0].columns {
            #expect(fixture.value(row, column.name) == values[column.name] ?? .null, "\(column.name)")
        }
        #expect(row?.version == 1)
        #expect(row?.key == 7)
    }

    @Test func `rows of sub-entities are read as rows of their own entity`() throws {
        let fixture = try SQLiteFixture()
        try fixture.insert(
            fixture.row("Dog", 1, ["name": .text("Rex"), "tricks": .integer(3)]),
            fixture.row("Cat", 2, ["name": .text("Tom"), "lives": .integer(9)])
        )
        let animals = try fixture.rows(RowRequest(entity: fixture.entity("Animal")))
        #expect(animals.map { fixture.layout.entities[$0.entity].name } == ["Dog", "Cat"])
        #expect(fixture.value(animals.last, "lives") == .integer(9))
        let dogs = try fixture.rows(RowRequest(entity: fixture.entity("Dog")))
        #expect(dogs.map(\.key) == [1])
        #expect(try fixture.rows(RowRequest(entity: fixture.entity("Animal"), includesSubentities: false)).isEmpty)
    }

    @Test func `a store can be opened after the order of its entities changes`() throws {
        let fixture = try SQLiteFixture()
        try fixture.insert(fixture.row("Cat", 2, ["name": .text("Tom"), "lives": .integer(9)]))
        var changes = ChangeSet()
        changes.inserts = [.init(row: try fixture.row("Person", 1)), .init(row: try fixture.row("Club", 5))]
        let clubs = fixture.layout.linkTables.firstIndex { $0.first != $0.second } ?? -1
        changes.links = [.init(table: clubs, first: 1, second: 5, secondPosition: 0)]
        _ = try fixture.store.commit(changes)
        fixture.store.close()
        var model = SQLiteFixture.model
        model.entities.reverse()
        let layout = try ModelLayout(model)
        _ = try fixture.store.open(layout)
        let cat = try fixture.store.read { (reader) throws(StorageError) in
            try reader.row(root: layout.index(of: "Animal") ?? 0, key: 2)
        }
        #expect(cat?.entity == layout.index(of: "Cat"))
        let members = try fixture.store.read { (reader) throws(StorageError) in
            try reader.related(layout.entity(named: "Club")?.relationship(named: "members") ?? 0, of: [5])
        }
        #expect(members.first?.rows.map(\.key) == [1])
    }

    @Test func `names that differ only by case and reserved names do not collide`() throws {
        let model = StoreModel(
            version: "V1",
            entities: ["thing", "Thing", "coffer_metadata", "sqlite_master", "a \"quoted\" one"].map {
                EntityDescription(
                    name: $0,
                    attributes: ["a", "A", "coffer_key", "select"].map {
                        .init(name: $0, type: .integer64AttributeType)
                    },
                    indexes: [["a"], ["A"]]
                )
            }
        )
        let fixture = try SQLiteFixture(model)
        for entity in model.entities {
            let values: [String: Value] = [
                "a": .integer(1), "A": .integer(2), "coffer_key": .integer(3), "select": .integer(4),
            ]
            try fixture.insert(fixture.row(entity.name, 1, values))
            let row = try fixture.row(entity.name, 1)
            for (name, value) in values { #expect(fixture.value(row, name) == value) }
        }
    }
}
