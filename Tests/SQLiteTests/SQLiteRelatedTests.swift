import CofferStorage
import Foundation
import TestSupport
import Testing

@testable import CofferSQLite

/// The related rows of many owners, whose rows are mixed in the table.
struct SQLiteRelatedTests {
    private let statements = Locked<[String]>([])

    private func fixture() throws -> SQLiteFixture {
        let statements = statements
        return try SQLiteFixture(
            settings: SQLiteConfiguration(onStatement: { text in statements.withLock { $0.append(text) } }))
    }

    /// Adds persons from key 1 with some pets each, and pets without an owner.
    ///
    /// The pets of one person are not side by side.
    private func fill(_ zoo: SQLiteFixture, persons: Int, pets: Int, strays: Int) throws {
        var changes = ChangeSet()
        for person in 1...Int64(persons) {
            changes.inserts.append(.init(row: try zoo.row("Person", person, ["name": .text("p"), "age": .integer(1)])))
        }
        var key: Int64 = 0
        for round in 0..<Int64(pets) {
            for person in 1...Int64(persons) {
                key += 1
                // Places descend from round to round, and every seventh pet has no place.
                var values: [String: Value] = ["name": .text("\(key)"), "owner": .integer(person)]
                if key % 7 != 0 { values["owner position"] = .integer(-round) }
                changes.inserts.append(.init(row: try zoo.row(key % 2 == 0 ? "Dog" : "Cat", key, values)))
            }
        }
        for _ in 0..<strays {
            key += 1
            changes.inserts.append(.init(row: try zoo.row("Dog", key, ["name": .text("stray")])))
        }
        _ = try zoo.store.commit(changes)
    }

    /// Returns the keys of the pets of a person in their order.
    private func pets(of person: Int64, persons: Int, pets: Int) -> [Int64] {
        let keys = (0..<Int64(pets)).map { $0 * Int64(persons) + person }
        return keys.filter { $0 % 7 == 0 } + keys.filter { $0 % 7 != 0 }.reversed()
    }

    private func related(_ zoo: SQLiteFixture, _ owners: [Int64]) throws -> [[Int64]] {
        statements.withLock { $0 = [] }
        let pets = zoo.relationship("Person", "pets")
        let found = try zoo.store.read { reader throws(StorageError) in try reader.related(pets, of: owners) }
        return found.map { [$0.owner] + $0.rows.map(\.key) }
    }

    /// Whether the last request has read the whole table of animals.
    private var hasScanned: Bool {
        statements.withLock { $0 }.contains { $0.contains("Animal") && !$0.contains("WHERE") }
    }

    @Test func `owners of most rows are read by one scan`() throws {
        let zoo = try fixture()
        try fill(zoo, persons: 100, pets: 9, strays: 300)
        let found = try related(zoo, Array(1...100))
        #expect(hasScanned)
        #expect(found == (1...100).map { [$0] + pets(of: $0, persons: 100, pets: 9) })
        // Owners that do not exist have no rows, and repetitions change nothing.
        #expect(try related(zoo, (1...120).reversed() + [5, 5]) == found)
        #expect(hasScanned)
    }

    @Test func `a request for some of the owners returns only their rows`() throws {
        let zoo = try fixture()
        try fill(zoo, persons: 100, pets: 9, strays: 0)
        let owners = (1...100).filter { $0 % 3 != 0 }.map { Int64($0) }
        #expect(try related(zoo, owners) == owners.map { [$0] + pets(of: $0, persons: 100, pets: 9) })
        #expect(hasScanned)
    }

    @Test(arguments: [(100, 2, 5_000, 100), (100, 9, 0, 20), (100, 9, 0, 63)])
    func `owners of few rows are found by an index`(_ persons: Int, _ pets: Int, _ strays: Int, _ count: Int) throws {
        let zoo = try fixture()
        try fill(zoo, persons: persons, pets: pets, strays: strays)
        let owners = (1...Int64(count)).map { $0 }
        #expect(try related(zoo, owners) == owners.map { [$0] + self.pets(of: $0, persons: persons, pets: pets) })
        #expect(!hasScanned)
    }

    @Test func `an empty table has no related rows`() throws {
        let zoo = try fixture()
        #expect(try related(zoo, Array(1...100)) == [])
    }

    @Test func `a row whose owner value is not a key has no owner`() throws {
        let zoo = try fixture()
        try fill(zoo, persons: 100, pets: 9, strays: 0)
        try SQLiteFixture.execute("UPDATE Animal SET owner = 'x' WHERE coffer_key = 1", in: zoo.fileURL)
        try SQLiteFixture.execute("UPDATE Animal SET owner = 1.5 WHERE coffer_key = 101", in: zoo.fileURL)
        let expected = pets(of: 1, persons: 100, pets: 9).filter { $0 != 1 && $0 != 101 }
        let found = try related(zoo, (0...100).map { Int64($0) })
        #expect(hasScanned)
        #expect(found.first == [1] + expected)
    }

    @Test func `a scan throws an error for an invalid value, and the next scan succeeds`() throws {
        let zoo = try fixture()
        try fill(zoo, persons: 100, pets: 9, strays: 0)
        let expected = try related(zoo, Array(1...100))
        let column = "\"owner position\""
        for row in [1, 450, 900] {
            try SQLiteFixture.execute("UPDATE Animal SET \(column) = 'x' WHERE coffer_key = \(row)", in: zoo.fileURL)
            let error = #expect(throws: StorageError.self) { try related(zoo, Array(1...100)) }
            #expect(hasScanned)
            #expect(error?.code == .invalidValue)
            #expect(error?.message.contains("of row \(row) has a value that does not fit its kind, integer") == true)
            let place = row % 7 == 0 ? "NULL" : "\(-(row - 1) / 100)"
            try SQLiteFixture.execute(
                "UPDATE Animal SET \(column) = \(place) WHERE coffer_key = \(row)", in: zoo.fileURL)
        }
        #expect(try related(zoo, Array(1...100)) == expected)
        #expect(hasScanned)
    }

    @Test func `a scan and a search by the index return the same rows of an unordered relationship`() throws {
        let model = StoreModel(
            version: "V1",
            entities: [
                EntityDescription(
                    name: "Parent",
                    relationships: [
                        .init(name: "children", destination: "Child", inverse: "parent", isToMany: true)
                    ]),
                EntityDescription(
                    name: "Child", attributes: [.init(name: "number", type: .integer64AttributeType)],
                    relationships: [.init(name: "parent", destination: "Parent", inverse: "children", isToMany: false)]),
            ])
        let home = try SQLiteFixture(model)
        for key in 1...200 as ClosedRange<Int64> { try home.insert(home.row("Parent", key, [:])) }
        var changes = ChangeSet()
        for key in 1...3_000 as ClosedRange<Int64> {
            let owner = key * 7919 % 200 + 1
            changes.inserts.append(
                .init(row: try home.row("Child", key, ["number": .integer(key), "parent": .integer(owner)])))
        }
        _ = try home.store.commit(changes)
        let children = home.relationship("Parent", "children")
        func found(_ owners: [Int64]) throws -> [Int64: Set<Int64>] {
            try home.store.read { reader throws(StorageError) in
                var found: [Int64: Set<Int64>] = [:]
                try reader.forEachRelated(children, of: owners) { found[$0, default: []].insert($1.key) }
                return found
            }
        }
        let scanned = try found(Array(1...200))
        #expect(scanned == Dictionary(grouping: 1...3_000, by: { $0 * 7919 % 200 + 1 }).mapValues(Set.init))
        for owner in 1...200 as ClosedRange<Int64> { #expect(try found([owner]) == [owner: scanned[owner] ?? []]) }
    }
}
