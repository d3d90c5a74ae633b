import Foundation
import GRDB

/// GRDB as its documentation introduces it: Codable records and the query interface.
final class GRDBPeer: GRDBBased {
    static let name = "grdb"

    let queue: DatabaseQueue

    init(in directory: URL) throws {
        queue = try Self.open(in: directory)
    }

    func insert(_ people: [PersonSample]) throws -> [Person] {
        try queue.write { database in
            try people.map { sample in
                var person = Person(sample)
                try person.insert(database)
                return person
            }
        }
    }

    func insert(_ items: [ItemSample]) throws -> [Item] {
        try queue.write { database in
            try items.map { sample in
                var item = Item(sample)
                try item.insert(database)
                return item
            }
        }
    }

    func insertAlone(_ person: PersonSample) throws {
        try queue.write { database in
            var person = Person(person)
            try person.insert(database)
        }
    }

    func addToScore(_ points: Double, ofPeopleYoungerThan age: Int) throws {
        try queue.write { database in
            for var person in try Person.filter(Person.Columns.age < age).fetchAll(database) {
                person.score += points
                try person.update(database)
            }
        }
    }

    func importPeople(_ samples: [PersonSample]) throws {
        try queue.write { database in
            for sample in samples {
                var person = Person(sample)
                person.id = try Person.filter(Person.Columns.email == sample.email).fetchOne(database)?.id
                try person.save(database)
            }
        }
    }

    func upsertPeople(_ samples: [PersonSample]) throws {
        try queue.write { database in
            for sample in samples {
                var person = Person(sample)
                _ = try person.upsertAndFetch(database, onConflict: ["email"])
            }
        }
    }

    func deletePeople(youngerThan age: Int) throws {
        try queue.write { database in
            for person in try Person.filter(Person.Columns.age < age).fetchAll(database) {
                try person.delete(database)
            }
        }
    }
}
