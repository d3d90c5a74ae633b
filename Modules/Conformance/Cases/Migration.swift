import CofferStorage
import CofferStorageTools
import Foundation

/// An error of the program, which a transformation throws.
private struct Refusal: Error {}

/// The cases about migrations: rows, relationships and keys in the next version of the model.
extension ConformanceCase {
    /// The data of a store after a migration to the next version of the model.
    ///
    /// A store that cannot migrate must throw an error.
    static let migration: [ConformanceCase] = rows + relations + whole

    private static let rows: [ConformanceCase] = [
        ConformanceCase(
            "migration/renaming", "Entities and attributes with former names keep their rows and values."
        ) {
            let next = Domain.model.next {
                $0.rename("Person", to: "Human")
                $0.rename("Creature", "name", to: "called")
                $0.rename("Human", "nick", to: "name")
                $0.rename("Book", "isbn", to: "number")
            }
            guard let town = try $0.migrated($0.town(), along: .steps(to: next)) else { return }
            try town.expectRow("Ann", ["called": .text("Ann"), "name": .text("annie")], "the former nick as the name")
            try expectEqual(try town.entity(of: town.row("Ann")).entity.name, "Human", "Ann's entity")
            try town.expectRow("Dune", ["number": .text("1")])
            try town.expectCount(of: "Human", 6, "the humans, including students")
        },
        ConformanceCase("migration/new-attribute", "Stored rows get the default of a new attribute.") {
            let next = Domain.model.next {
                $0.change("Person") {
                    $0.attributes += [
                        .init(name: "mood", type: .stringAttributeType, defaultValue: .text("fine")),
                        .init(name: "luck", type: .decimalAttributeType, isOptional: true, defaultValue: .decimal(7)),
                        .init(name: "notes", type: .binaryDataAttributeType, isOptional: true),
                    ]
                    $0.attributes.removeAll { $0.name == "height" }
                }
            }
            guard let town = try $0.migrated($0.town(), along: .steps(to: next)) else { return }
            try town.expectRow(
                "Dan", ["mood": .text("fine"), "luck": .decimal(7), "notes": .null, "nick": .text("danny")], version: 1)
        },
        ConformanceCase(
            "migration/required",
            "If an attribute becomes required, rows without a value get the default, or the migration fails."
        ) {
            let next = { (value: Value) in
                Domain.model.next {
                    $0.change("Person", attribute: "nick") {
                        $0.isOptional = false
                        $0.defaultValue = value
                    }
                }
            }
            let town = try $0.town()
            let names = ["'Person.nick'", "row \(try town.key("Bob"))"]
            guard let town = try $0.refused(town, along: .steps(to: next(.null)), .invalidValue, naming: names),
                let town = try $0.migrated(town, along: .steps(to: next(.text("nobody"))))
            else { return }
            try town.expectRow("Bob", ["nick": .text("nobody")])
            try town.expectRow("Ann", ["nick": .text("annie")])
        },
        ConformanceCase(
            "migration/widening", "Numbers are converted to a wider type without loss; other conversions are refused."
        ) {
            let lossy = Domain.model.next { $0.change("Book", attribute: "pages") { $0.type = .doubleAttributeType } }
            let next = Domain.model.next {
                $0.change("Book", attribute: "place") { $0.type = .doubleAttributeType }
                $0.change("Book", attribute: "pages") { $0.type = .decimalAttributeType }
            }
            let session = try $0.open()
            let key = try session.insert("Book", ["title": .text("B"), "place": .integer(7), "pages": .integer(.max)])
            let names = ["'Book.pages'"]
            guard let session = try $0.refused(session, along: .steps(to: lossy), .schemaMismatch, naming: names),
                let session = try $0.migrated(session, along: .steps(to: next))
            else { return }
            try session.expectRow("Book", key, ["place": .double(7), "pages": .decimal(.init(Int64.max))])
        },
        ConformanceCase(
            "migration/transform", "A transformation converts each row, with its links, or drops it."
        ) {
            let next = Domain.model.next {
                $0.change("Person") { $0.attributes.append(.init(name: "size", type: .stringAttributeType)) }
            }
            let steps = [MigrationPlan].steps(to: next).transforming("Person") { row in
                guard case .double(let height)? = row.value("height") else { return }
                try row.copyAttributes()
                try row.set(.text(height > 1.7 ? "tall" : "small"), for: "size")
            }.transforming("Student") { row in
                try row.copyAttributes()
                try row.set(.text("unknown"), for: "size")
            }
            guard let town = try $0.migrated($0.town(), along: steps) else { return }
            let sizes = try town.values(of: "size", in: town.person.request())
            let expected = ["tall", "small", "unknown", "unknown", "small"].map(Value.text)
            try expectEqual(sizes, expected, "the sizes of all but Bob")
            try town.expectRelated("pets", ["Ann": ["Mia", "Rex"]])
            try town.expectRelated("friends", ["Ann": ["Dan"]], "without Bob")
            try town.expectRow("Dan", ["mentor": .null], "the mentor was Bob")
            try town.expectRow("Tom", ["owner position": .null])
        },
    ]

    private static let relations: [ConformanceCase] = [
        ConformanceCase(
            "migration/links", "References and links keep their places if one of the relationships is renamed."
        ) {
            let next = Domain.model.next {
                $0.rename("Pet", "owner", to: "keeper")
                $0.rename("Person", "pets", to: "animals", isRemembered: false)
                $0.rename("Person", "favorites", to: "loved")
                $0.rename("Book", "readers", to: "lovers", isRemembered: false)
                $0.rename("Tag", to: "Label")
                $0.rename("Label", "bearers", to: "things")
                $0.rename("Person", "mentor", to: "teacher")
            }
            guard let town = try $0.migrated($0.town(), along: .steps(to: next)) else { return }
            try town.expectRelated("animals", ["Ann": ["Mia", "Rex"]], "the pets in order")
            try town.expectRelated("loved", ["Ann": ["Emma", "Dune"]], "the favorites in order")
            try town.expectRelated("lovers", ["Dune": ["Bob", "Ann"]], "the readers in order")
            try town.expectRelated("things", ["red": ["Ann", "Dan", "Rex"]])
            try town.expectRelated("friends", ["Dan": ["Ann"]])
            try town.expectRow("Dan", ["teacher": .integer(town.key("Bob"))], "the mentor")
        },
        ConformanceCase(
            "migration/to-many", "A to-one relationship can become to-many; the reverse is refused."
        ) {
            let lossy = Domain.model.next { $0.change("Person", relationship: "favorites") { $0.isToMany = false } }
            let next = Domain.model.next {
                $0.change("Pet", relationship: "owner") {
                    $0.isToMany = true
                    $0.isOrdered = true
                }
                $0.change("Book", relationship: "prequel") { $0.isToMany = true }
            }
            let (town, names) = (try $0.town(), ["'Person.favorites'"])
            guard let town = try $0.refused(town, along: .steps(to: lossy), .schemaMismatch, naming: names),
                let town = try $0.migrated(town, along: .steps(to: next))
            else { return }
            try town.expectRelated("pets", ["Ann": ["Mia", "Rex"]], "in order")
            try town.expectRelated("owner", ["Tom": ["Bob"], "Stray": []])
        },
        ConformanceCase(
            "migration/dropped-entity", "The rows of a dropped entity are deleted, with the references to them."
        ) {
            let next = Domain.model.next {
                $0.drop("Tag")
                $0.drop("Student")
                $0.change("Person", relationship: "favorites") { $0.isOrdered = false }
            }
            guard let town = try $0.migrated($0.town(), along: .steps(to: next)) else { return }
            try town.expectCount(of: "Person", 4, "the persons")
            try expect(try !town.exists("Person", town.key("Dan")), "no row of Dan")
            try town.expectRelated("friends", ["Ann": ["Bob"]])
            try town.expectRelated("favorites", ["Ann": ["Dune", "Emma"]], "by key")
            try town.expectRelated("pupils", ["Bob": []])
        },
        ConformanceCase(
            "migration/inheritance", "Trees of entities can be joined and divided, and references stay the same."
        ) {
            let joined = Domain.model.next("V2") {
                $0.change("Creature", attribute: "name") { $0.defaultValue = .text("a book") }
                $0.change("Book") {
                    $0.parent = "Creature"
                    $0.uniqueConstraints = []
                    $0.indexes = []
                }
            }
            guard let town = try $0.migrated($0.town(), along: .steps(to: joined)) else { return }
            let favorites = try town.related("favorites", of: town.key("Ann"))
            let titles = try favorites.map { try town.value("title", of: "Book", $0) }
            try expectEqual(titles, [.text("Emma"), .text("Dune")], "Ann's favorites")
            try town.expectCount(of: "Creature", 13, "the creatures and books")
            try town.expectRelated("pets", ["Ann": ["Mia", "Rex"]])
            try expect(!favorites.contains(try town.newKey("Creature")), "a key that no row has")

            let parted = joined.next("V3") { $0.change("Book") { $0.parent = nil } }
            guard let town = try $0.migrated(town, along: [.inferred(from: joined, to: parted)]) else { return }
            let again = try town.related("favorites", of: town.key("Ann"))
            try expectEqual(again, favorites, "Ann's favorites, with the same keys")
            try town.expectCount(of: "Creature", 10, "the creatures")
            try expect(!favorites.contains(try town.newKey("Book")), "a key that no book has")
        },
    ]

    /// The next version, with another name for the titles of books.
    private static let retitled = Domain.model.next { $0.rename("Book", "title", to: "name") }
    /// The version after ``retitled``, with another new name for the titles of books.
    private static let retitledAgain = retitled.next("V3") { $0.rename("Book", "name", to: "heading") }

    private static let whole: [ConformanceCase] = [
        ConformanceCase("migration/unsupported", "A store that cannot migrate throws an error and keeps its data.") {
            guard try $0.closed($0.town()) == nil, $0.isPersistent else { return }
            try $0.open().expectCount(of: "Creature", 10, "the creatures")
        },
        ConformanceCase("migration/metadata", "A migrated store keeps its id, and has the model of the last step.") {
            let session = try $0.open()
            let next = Domain.model.next { $0.rename("Wide", "column7", to: "seven") }
            guard let migrated = try $0.migrated(session, along: .steps(to: next)) else { return }
            try expectEqual(
                migrated.metadata, StoreMetadata(store: session.metadata.store, model: next), "the metadata")
            try expectEqual(try migrated.store.inspect(), migrated.metadata, "the inspected metadata")
        },
        ConformanceCase("migration/keys", "Migrated rows keep their keys, and no key is reserved again.") {
            let session = try $0.open()
            let used = try session.insert("Tag", ["label": .text("old")])
            let reserved = try session.reserve("Tag", 100)
            let next = Domain.model.next { $0.rename("Tag", to: "Label") }
            guard let session = try $0.migrated(session, along: .steps(to: next)) else { return }
            try expectEqual(try session.keys(session.entity("Label").request()), [used], "the keys")
            let key = try session.newKey("Label")
            try expect(key != used && !reserved.contains(key), "a new key, and found \(key)")
        },
        ConformanceCase("migration/constraints", "A migrated store has the unique constraints of its new model.") {
            let next = Domain.model.next {
                $0.change("Book") { $0.uniqueConstraints = [["title"]] }
                $0.change("Tag") { $0.indexes = [["label"]] }
            }
            guard let town = try $0.migrated($0.town(), along: .steps(to: next)) else { return }
            try town.insert("Book", ["title": .text("Other"), "isbn": .text("1")])
            try town.expectCount(of: "Book", 4, "the books, two with the same isbn")
            try town.insert("Book", ["title": .text("Emma"), "isbn": .text("3")])
            try town.expectCount(of: "Book", 4, "the books, 'Emma' merged")
        },
        ConformanceCase("migration/unique-violation", "Rows that violate a new unique constraint are an error.") {
            let next = Domain.model.next {
                $0.change("Book") { $0.uniqueConstraints = [["title"], ["shelf"]] }
                $0.rename("Tag", to: "Label")
            }
            try $0.refused($0.town(), along: .steps(to: next), .uniqueViolation, naming: ["'Book.shelf'"])
        },
        ConformanceCase("migration/atomic", "If a transformation throws, the store does not change.") {
            let next = Domain.model.next {
                $0.drop("Tag")
                $0.rename("Book", "title", to: "name")
            }
            let steps = [MigrationPlan].steps(to: next).transforming("Book") { row in
                if row.value("title") == .text("Ulysses") { throw Refusal() }
                try row.copyAttributes()
            }
            guard let town = try $0.refused($0.town(), along: steps, .failed) else { return }
            try town.expectRelated("favorites", ["Ann": ["Emma", "Dune"]])
            try town.insert("Tag", ["label": .text("another")])
        },
        ConformanceCase("migration/all-steps-or-none", "A migration runs all of its steps, or none of them.") {
            let wrong = retitled.next("V3") { $0.change("Book", attribute: "name") { $0.type = .dateAttributeType } }
            let town = try $0.town()
            guard let town = try $0.refused(town, along: .steps(to: retitled, wrong), .schemaMismatch),
                let town = try $0.migrated(town, along: .steps(to: retitled, retitledAgain))
            else { return }
            try town.expectRow("Dune", ["heading": .text("Dune")])
        },
        ConformanceCase("migration/report", "A migration reports its progress for each step, up to the end.") {
            let session = try $0.open()
            try session.insert("Tag", all: (0..<3_000).map { ["label": .text("\($0)")] })
            let second = Domain.model.next("V2") { $0.rename("Tag", "label", to: "name") }
            let third = second.next("V3") { $0.rename("Tag", "name", to: "text") }
            var reports: [MigrationReport] = []
            guard try $0.migrated(session, along: .steps(to: second, third), report: { reports.append($0) }) != nil
            else { return }
            try expectEqual(reports.map(\.step), reports.map(\.step).sorted(), "the steps")
            for step in 0..<2 {
                let fractions = reports.filter { $0.step == step }.map(\.fraction)
                try expectEqual(fractions, fractions.sorted(), "the fractions of step \(step)")
                try expectEqual(fractions.last, 1, "the last fraction of step \(step)")
                try expect(fractions.contains { $0 > 0 && $0 < 1 }, "a report before the end of step \(step)")
            }
        },
        ConformanceCase("migration/cancel", "If the progress closure throws, nothing is migrated.") {
            try $0.refused($0.town(), along: .steps(to: retitled), .failed) { _ throws(StorageError) in
                throw StorageError(.failed, "Cancelled.")
            }
        },
        ConformanceCase("migration/wrong-source", "A store with another model than the plan's source is refused.") {
            let step = MigrationPlan.inferred(from: retitled, to: retitledAgain)
            try $0.refused($0.town(), along: [step], .schemaMismatch)
        },
        withStore("migration/open-store", "An open store cannot be migrated.") { session in
            guard session.store is any MigratableStorage else { return }
            try expectThrows(.busy, "a migration of an open store") {
                try session.store.migrate(along: .steps(to: retitled))
            }
            try session.insert("Book", ["title": .text("Still open")])
        },
        ConformanceCase("migration/nothing", "The migration of a missing store creates no store.") {
            let store = try $0.makeStore()
            guard store is any MigratableStorage else { return }
            try expectThrows(.unavailable, "a migration of a missing store") {
                try store.migrate(along: .steps(to: retitled))
            }
            try expectEqual(try store.inspect(), nil, "the metadata of the store")
        },
    ]
}
