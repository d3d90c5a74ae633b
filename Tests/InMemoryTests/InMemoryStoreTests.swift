import CofferInMemory
import CofferStorage
import Foundation
import TestSupport
import Testing

struct InMemoryStoreTests {
    @Test func `every instance is its own empty store`() throws {
        let layout = try RowModel.layout()
        let (first, second) = (InMemoryStore(), InMemoryStore(configuration: "Other"))
        #expect(try first.inspect() == nil)
        #expect(try first.open(layout).store != second.open(layout).store)
        var changes = ChangeSet()
        changes.inserts = [.init(row: try RowModel.row(RowModel.person, 1, [:], in: layout))]
        _ = try first.commit(changes)
        #expect(try second.makeReader().count(RowRequest(entity: 0)) == 0)
        #expect(second.storeDescription == "InMemoryStore 'Other'")
        #expect(InMemoryStore.storeType == "InMemory")
    }

    @Test func `a closed store refuses requests until it is opened again`() throws {
        let layout = try RowModel.layout()
        let store = InMemoryStore()
        #expect(throws: StorageError.self) { try store.makeReader() }
        let metadata = try store.open(layout)
        #expect(try store.reserveKeys(3, root: RowModel.person) == 1..<4)
        var changes = ChangeSet()
        changes.inserts = [.init(row: try RowModel.row(RowModel.person, 9, [:], in: layout))]
        _ = try store.commit(changes)
        store.close()
        store.close()
        for error in [
            #expect(throws: StorageError.self) { try store.commit(ChangeSet()) },
            #expect(throws: StorageError.self) { try store.reserveKeys(1, root: 0) },
            #expect(throws: StorageError.self) { try store.makeReader() },
        ] { #expect(error?.code == .closed) }
        #expect(try store.inspect() == metadata)
        #expect(try store.open(layout) == metadata)
        #expect(try store.makeReader().count(RowRequest(entity: 0)) == 1)
        #expect(try store.reserveKeys(1, root: RowModel.person) == 10..<11)
        try store.erase()
        try store.erase()
        #expect(try store.inspect() == nil)
        #expect(try store.open(layout).store != metadata.store)
        #expect(try store.makeReader().count(RowRequest(entity: 0)) == 0)
    }

    @Test func `opening a store with another model throws schemaMismatch`() throws {
        let store = InMemoryStore()
        _ = try store.open(RowModel.layout())
        var model = RowModel.model
        model.entities[0].attributes[0].isOptional = false
        let error = #expect(throws: StorageError.self) { try store.open(ModelLayout(model)) }
        #expect(error?.code == .schemaMismatch)
    }

    @Test func `opening with an equal model in another order finds the same data`() throws {
        let layout = try RowModel.layout()
        let store = InMemoryStore()
        _ = try store.open(layout)
        var changes = ChangeSet()
        changes.inserts = [
            .init(row: try RowModel.row(RowModel.person, 1, ["name": .text("n"), "age": .integer(3)], in: layout)),
            .init(row: try RowModel.row(RowModel.employee, 2, ["title": .text("t"), "email": .text("e")], in: layout)),
            .init(row: try RowModel.row(RowModel.tag, 1, ["name": .text("x")], in: layout)),
            .init(row: try RowModel.row(RowModel.tag, 2, ["name": .text("y")], in: layout)),
        ]
        changes.links = [
            .init(table: 0, first: 1, second: 1, firstPosition: 5),
            .init(table: 0, first: 1, second: 2, firstPosition: 4),
        ]
        _ = try store.commit(changes)
        var model = RowModel.model
        model.entities.reverse()
        for index in model.entities.indices { model.entities[index].attributes.reverse() }
        let other = try ModelLayout(model)
        _ = try store.open(other)
        let reader = try store.makeReader()
        let person = try #require(other.entity(named: "Person"))
        let row = try #require(try reader.row(root: person.index, key: 1))
        #expect(row.value(try #require(person.slot(named: "name")), .text) == .text("n"))
        #expect(row.value(try #require(person.slot(named: "age")), .integer) == .integer(3))
        let tags = try #require(person.relationship(named: "tags"))
        #expect(try reader.related(tags, of: [1])[0].rows.map(\.key) == [2, 1])
        #expect(try store.reserveKeys(1, root: person.index) == 3..<4)
    }

    @Test func `a reader keeps its snapshot while commits run`() throws {
        let layout = try RowModel.layout()
        let store = InMemoryStore()
        _ = try store.open(layout)
        let reader = try store.makeReader()
        var changes = ChangeSet()
        changes.inserts = [.init(row: try RowModel.row(RowModel.person, 1, [:], in: layout))]
        _ = try store.commit(changes)
        #expect(try reader.count(RowRequest(entity: 0)) == 0)
        #expect(try store.makeReader().count(RowRequest(entity: 0)) == 1)
        reader.finish()
        #expect(throws: StorageError.self) { try reader.rows(RowRequest(entity: 0)) }
    }

    @Test func `readers on other threads see only complete commits`() throws {
        let layout = try RowModel.layout()
        let store = InMemoryStore()
        _ = try store.open(layout)
        let failures = Locked(0)
        // The total age stays the same in every commit, and the order by name agrees with the scan.
        var changes = ChangeSet()
        for key in try store.reserveKeys(100, root: RowModel.person) {
            let values: [String: Value] = ["age": .integer(0), "name": .text("n\(key)"), "email": .text("e\(key)")]
            changes.inserts.append(.init(row: try RowModel.row(RowModel.person, key, values, in: layout)))
        }
        _ = try store.commit(changes)
        DispatchQueue.concurrentPerform(iterations: 3) { worker in
            var random = SeededGenerator(seed: UInt64(worker))
            for _ in 0..<150 {
                do {
                    if worker < 2 {
                        let total = ValueRequest(
                            rows: RowRequest(entity: RowModel.person),
                            terms: [.aggregate(.sum, .column(slot: RowModel.age, kind: .integer))]
                        )
                        let byName = RowRequest(
                            entity: RowModel.person,
                            order: [RowSort(.column(slot: RowModel.name, kind: .text), ascending: true)]
                        )
                        let reader = try store.makeReader()
                        let isWhole = try reader.values(total) == [[.integer(0)]] && reader.rows(byName).count == 100
                        if !isWhole { failures.withLock { $0 += 1 } }
                    } else {
                        let rows = try store.makeReader().rows(RowRequest(entity: RowModel.person))
                        let pair = [rows.randomElement(using: &random), rows.randomElement(using: &random)].compactMap(
                            \.self)
                        guard pair.count == 2, pair[0].key != pair[1].key else { continue }
                        var changes = ChangeSet()
                        var columns = ColumnSet()
                        columns.insert(RowModel.name)
                        columns.insert(RowModel.age)
                        for (row, step) in zip(pair, [1, -1] as [Int64]) {
                            let new = RowBuilder(copying: row, room: 20)
                            new.write(integer: row.integer(RowModel.age) + step, RowModel.age)
                            _ = new.write(text: "m\(random.next() % 1_000)", RowModel.name)
                            changes.updates.append(.init(row: new.build(), columns: columns))
                        }
                        _ = try store.commit(changes)
                    }
                } catch {
                    failures.withLock { $0 += 1 }
                }
            }
        }
        #expect(failures.withLock { $0 } == 0)
    }
}
