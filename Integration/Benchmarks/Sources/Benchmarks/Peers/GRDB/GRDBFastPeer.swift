import Foundation
import GRDB

/// GRDB as its performance guide advises: hand-written records that read columns by index, and cached statements.
final class GRDBFastPeer: GRDBBased {
    static let name = "grdb-fast"

    let queue: DatabaseQueue

    init(in directory: URL) throws {
        queue = try Self.open(in: directory)
    }

    func insert(_ people: [PersonSample]) throws -> [Person] {
        try queue.write { database in
            let statement = try database.cachedStatement(sql: SQLSchema.insertPerson)
            return try people.map { try Self.insert(Person($0), with: statement, into: database) }
        }
    }

    func insert(_ items: [ItemSample]) throws -> [Item] {
        try queue.write { database in
            let statement = try database.cachedStatement(sql: SQLSchema.insertItem)
            return try items.map { sample in
                let item = Item(sample)
                statement.setUncheckedArguments(item.arguments)
                try statement.execute()
                item.id = database.lastInsertedRowID
                return item
            }
        }
    }

    func insertAlone(_ person: PersonSample) throws {
        try queue.write { database in
            let statement = try database.cachedStatement(sql: SQLSchema.insertPerson)
            _ = try Self.insert(Person(person), with: statement, into: database)
        }
    }

    func addToScore(_ points: Double, ofPeopleYoungerThan age: Int) throws {
        try queue.write { database in
            let update = try database.cachedStatement(sql: SQLSchema.updateScore)
            for person in try Self.people(youngerThan: age, in: database) {
                person.score += points
                update.setUncheckedArguments([person.score, person.id])
                try update.execute()
            }
        }
    }

    func importPeople(_ samples: [PersonSample]) throws {
        try queue.write { database in
            let find = try database.cachedStatement(sql: SQLSchema.selectPersonByEmail)
            let update = try database.cachedStatement(sql: SQLSchema.updateScore)
            let insert = try database.cachedStatement(sql: SQLSchema.insertPerson)
            for sample in samples {
                if let known = try Person.fetchOne(find, arguments: [sample.email]) {
                    update.setUncheckedArguments([sample.score, known.id])
                    try update.execute()
                } else {
                    _ = try Self.insert(Person(sample), with: insert, into: database)
                }
            }
        }
    }

    func upsertPeople(_ samples: [PersonSample]) throws {
        try queue.write { database in
            let statement = try database.cachedStatement(sql: SQLSchema.upsertPerson)
            for sample in samples {
                statement.setUncheckedArguments(Person(sample).arguments)
                try statement.execute()
            }
        }
    }

    func deletePeople(youngerThan age: Int) throws {
        try queue.write { database in
            let delete = try database.cachedStatement(sql: SQLSchema.deletePerson)
            for person in try Self.people(youngerThan: age, in: database) {
                delete.setUncheckedArguments([person.id])
                try delete.execute()
            }
        }
    }

    private static func insert(
        _ person: Person, with statement: Statement, into database: Database
    ) throws -> Person {
        statement.setUncheckedArguments(person.arguments)
        try statement.execute()
        person.id = database.lastInsertedRowID
        return person
    }

    private static func people(youngerThan age: Int, in database: Database) throws -> [Person] {
        try Person.fetchAll(database.cachedStatement(sql: SQLSchema.selectYounger), arguments: [age])
    }
}
