import Coffer
import CofferSchema
import CofferStorage
import TestSupport
import Testing

/// Rows that a test keeps; they do not change when their objects change.
struct KeptRowTests {
    /// Each way to change a row of a person.
    private static let edits: [@Sendable (Town.Person, Town.Person) -> Void] = [
        { person, _ in person.age += 1 },
        { person, _ in person.name += " and a text that needs more room than the row has for its text" },
        { person, _ in person.city = nil },
        { person, other in person.spouse = other },
        { person, _ in person.spouse = nil },
        { person, _ in person.title = "\(person.age)" },
        { person, _ in person.mood = .init(colour: "colour \(person.age)") },
        { person, other in person.pets = other.pets },
    ]

    private static func shown(_ row: Row, _ kinds: [ColumnKind]) -> [Value] {
        kinds.indices.map { row.value($0, kinds[$0]) }
    }

    /// Edits a person at random, keeps some rows, drops others, and compares each kept row with its first values.
    private static func run(_ person: Town.Person, _ other: Town.Person, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let kinds = try #require(person.context.binding).entities[person.row.entity].layout.kinds
        var kept: [(row: Row, values: [Value])] = []
        for step in 0..<300 {
            if random.chance(40) { kept.append((person.row, shown(person.row, kinds))) }
            if random.chance(10) { kept.removeAll() }
            edits[random.below(edits.count)](person, other)
            #expect(kept.allSatisfy { shown($0.row, kinds) == $0.values }, "seed \(seed), step \(step)")
        }
    }

    @Test(arguments: TestBackend.allCases)
    func `a copied row keeps its values while its object is edited`(_ backend: TestBackend) throws {
        let test = try Town.empty(backend)
        try test.stack.perform(synchronous: { transaction in
            let other = transaction.create(Into<Town.Person>())
            other.pets = [transaction.create(Into<Town.Pet>())]
            let new = transaction.create(Into<Town.Person>())
            new.name = "Ann"
            try Self.run(new, other, seed: 1)
        })
        try test.stack.perform(synchronous: { transaction in
            let people = try transaction.fetchAll(From<Town.Person>().orderBy(.ascending(\.$name)))
            try Self.run(try #require(people.last), try #require(people.first), seed: 2)
        })
    }

    @Test(arguments: TestBackend.allCases)
    func `a row copied before a commit keeps its version`(_ backend: TestBackend) throws {
        let test = try Town.empty(backend)
        try test.stack.perform(synchronous: { $0.create(Into<Town.Person>()).age = 1 })
        let transaction = test.stack.beginUnsafe(supportsUndo: true)
        let person = try #require(try transaction.fetchOne(From<Town.Person>()))
        for round in 2...5 {
            person.age = round
            // The savepoint of the undo history retains the row, and so do a child transaction and a list.
            transaction.flush()
            let kept = (row: person.row, version: person.row.version)
            let child = try #require(transaction.beginUnsafe().edit(person))
            let list = transaction.monitorList(From<Town.Person>(), OrderBy<Town.Person>(.ascending(\.$age)))
            try transaction.commitAndWait()
            #expect(kept.row.version == kept.version)
            #expect(person.row.version == kept.version + 1)
            #expect(child.age == round && list[0].age == round)
        }
    }

    @Test(arguments: TestBackend.allCases)
    func `a copy of a saved row keeps its version while the transaction continues`(_ backend: TestBackend) throws {
        let test = try Town.empty(backend)
        let transaction = test.stack.beginUnsafe()
        let person = transaction.create(Into<Town.Person>())
        let other = transaction.create(Into<Town.Person>())
        person.age = 1
        for round in 2...20 {
            try transaction.commitAndWait()
            let saved = (row: person.row, version: person.row.version)
            let child = transaction.beginUnsafe()
            let copy = try #require(child.edit(person))
            copy.age = round
            try child.commitAndWait()
            copy.age = -1
            #expect(person.age == round)
            try Self.run(person, other, seed: UInt64(round))
            person.age = round
            #expect(saved.row.version == saved.version)
            #expect(try test.stack.read { try $0.fetchAll(From<Town.Person>()).map(\.age).contains(round - 1) })
        }
    }
}
