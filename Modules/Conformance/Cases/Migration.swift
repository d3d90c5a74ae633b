import CofferStorage
import CofferStorageTools
import Foundation

/// Thrown by a transformation, as a program might.
private struct Refusal: Error {}

/// The cases about migrations: rows, relationships and keys in the next version of the model.
extension ConformanceCase {
    /// What becomes of a store's data from one version of the model to the next.
    ///
    /// Of a store that cannot migrate: that it says so.
    static let migration: [ConformanceCase] = rows + relations + whole

    private static let rows: [ConformanceCase] = [
        ConformanceCase(
            "migration/renaming", "Rows and their values follow the former names of entities and attributes."
        ) {
            let town = try $0.town()
            let next = Domain.model.next {
                $0.rename("Person", to: "Human")
                $0.rename("Creature", "name", to: "called")
                $0.rename("Human", "nick", to: "name")
                $0.rename("Book", "isbn", to: "number")
            }
            guard let session = try $0.migrated(town.session, .inferred(from: Domain.model, to: next)) else { return }
            let human = try session.entity("Human")
            let ann = try session.row("Human", town.key("Ann"))
            try expectEqual(ann.entity, human.entity.index, "Ann's entity")
            try expectEqual(try human.value("called", of: ann), .text("Ann"), "what she is called")
            try expectEqual(try human.value("name", of: ann), .text("annie"), "what was her nick")
            let dune = try session.row("Book", town.key("Dune"))
            try expectEqual(try session.entity("Book").value("number", of: dune), .text("1"), "the number of 'Dune'")
            try expectEqual(try session.count(human.request()), 6, "the humans, students among them")
        },
        ConformanceCase("migration/new-attribute", "A new attribute has its default in the rows that were there.") {
            let town = try $0.town()
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
            guard let session = try $0.migrated(town.session, .inferred(from: Domain.model, to: next)) else { return }
            let student = try session.entity("Student")
            let dan = try session.row("Student", town.key("Dan"))
            try expectEqual(try student.value("mood", of: dan), .text("fine"), "Dan's mood")
            try expectEqual(try student.value("luck", of: dan), .decimal(7), "Dan's luck")
            try expectEqual(try student.value("notes", of: dan), .null, "Dan's notes")
            try expectEqual(try student.value("nick", of: dan), .text("danny"), "Dan's nick")
            try expectEqual(dan.version, 1, "the version of Dan's row")
        },
        ConformanceCase(
            "migration/required", "Where an attribute becomes required, rows without a value get the default, or fail."
        ) {
            let town = try $0.town()
            let next = { (value: Value) in
                Domain.model.next {
                    $0.change("Person") {
                        $0.change(attribute: "nick") {
                            $0.isOptional = false
                            $0.defaultValue = value
                        }
                    }
                }
            }
            let bob = try town.key("Bob")
            let failing = MigrationPlan.inferred(from: Domain.model, to: next(.null))
            guard let (session, error) = try $0.refused(town.session, failing, code: .invalidValue) else { return }
            try expect(error.message.contains("'Person.nick'"), "an error that names 'Person.nick', and not \(error)")
            try expect(error.message.contains("row \(bob)"), "an error that names the row \(bob), and not \(error)")
            let plan = MigrationPlan.inferred(from: Domain.model, to: next(.text("nobody")))
            guard let session = try $0.migrated(session, plan) else { return }
            let person = try session.entity("Person")
            try expectEqual(
                try person.value("nick", of: session.row("Person", bob)), .text("nobody"), "Bob's nick")
            try expectEqual(
                try person.value("nick", of: session.row("Person", town.key("Ann"))), .text("annie"), "Ann's nick")
        },
        ConformanceCase("migration/widening", "Numbers become those of a wider type without loss; others are refused.")
        {
            let session = try $0.open()
            let key = try session.insert("Book", ["title": .text("B"), "place": .integer(7), "pages": .integer(.max)])
            let lossy = Domain.model.next {
                $0.change("Book") { $0.change(attribute: "pages") { $0.type = .doubleAttributeType } }
            }
            let refused = MigrationPlan.inferred(from: Domain.model, to: lossy)
            guard let (session, error) = try $0.refused(session, refused, code: .schemaMismatch) else { return }
            try expect(error.message.contains("'Book.pages'"), "an error that names 'Book.pages', and not \(error)")
            let next = Domain.model.next {
                $0.change("Book") {
                    $0.change(attribute: "place") { $0.type = .doubleAttributeType }
                    $0.change(attribute: "pages") { $0.type = .decimalAttributeType }
                }
            }
            guard let session = try $0.migrated(session, .inferred(from: Domain.model, to: next)) else { return }
            let row = try session.row("Book", key)
            let book = try session.entity("Book")
            try expectEqual(try book.value("place", of: row), .double(7), "the place")
            try expectEqual(try book.value("pages", of: row), .decimal(.init(Int64.max)), "the pages")
        },
        ConformanceCase(
            "migration/transform", "A transformation makes each row anew, with its links, or leaves it out."
        ) {
            let town = try $0.town()
            let next = Domain.model.next {
                $0.change("Person") { $0.attributes.append(.init(name: "size", type: .stringAttributeType)) }
            }
            var plan = MigrationPlan.inferred(from: Domain.model, to: next)
            let place = plan.entities.firstIndex { $0.source == "Person" } ?? 0
            plan.entities[place].transformation = { row in
                guard case .double(let height)? = row.value("height") else { return }
                try row.copyAttributes()
                try row.set(.text(height > 1.7 ? "tall" : "small"), for: "size")
            }
            let students = plan.entities.firstIndex { $0.source == "Student" } ?? 0
            plan.entities[students].transformation = { row in
                try row.copyAttributes()
                try row.set(.text("unknown"), for: "size")
            }
            guard let session = try $0.migrated(town.session, plan) else { return }
            let person = try session.entity("Person")
            let found = try session.rows(person.request())
            try expectEqual(
                try found.map { try person.value("size", of: $0) },
                [.text("tall"), .text("small"), .text("unknown"), .text("unknown"), .text("small")],
                "the sizes of all but Bob"
            )
            let pets = try session.related(person.relationship("pets"), of: town.key("Ann"))
            try expectEqual(town.names(pets, in: town.pet), ["Mia", "Rex"], "Ann's pets")
            let friends = try session.related(person.relationship("friends"), of: town.key("Ann"))
            try expectEqual(town.names(friends, in: town.person), ["Dan"], "Ann's friends, without Bob")
            let dan = try session.row("Person", town.key("Dan"))
            try expectEqual(try person.value("mentor", of: dan), .null, "Dan's mentor, who was Bob")
            let tom = try session.row("Pet", town.key("Tom"))
            try expectEqual(try session.entity("Pet").value("owner position", of: tom), .null, "Tom's place")
        },
    ]

    private static let relations: [ConformanceCase] = [
        ConformanceCase(
            "migration/links", "References and links, with their places, follow the former name of either side."
        ) {
            let town = try $0.town()
            let next = Domain.model.next {
                $0.rename("Pet", "owner", to: "keeper")
                $0.rename("Person", "pets", to: "animals", isRemembered: false)
                $0.rename("Person", "favorites", to: "loved")
                $0.rename("Book", "readers", to: "lovers", isRemembered: false)
                $0.rename("Tag", to: "Label")
                $0.rename("Label", "bearers", to: "things")
                $0.rename("Person", "mentor", to: "teacher")
            }
            guard let session = try $0.migrated(town.session, .inferred(from: Domain.model, to: next)) else { return }
            let (person, label) = (try session.entity("Person"), try session.entity("Label"))
            let related = { (entity: TestEntity, name: String, key: String) in
                try session.related(entity.relationship(name), of: town.key(key))
            }
            try expectEqual(
                town.names(try related(person, "animals", "Ann"), in: town.pet), ["Mia", "Rex"], "Ann's pets in order")
            try expectEqual(
                town.names(try related(person, "loved", "Ann"), in: town.book), ["Emma", "Dune"], "Ann's favorites")
            try expectEqual(
                town.names(try related(try session.entity("Book"), "lovers", "Dune"), in: town.person), ["Bob", "Ann"],
                "the readers of 'Dune' in order")
            try expectEqual(
                town.names(try related(label, "things", "red"), in: town.creature), ["Ann", "Dan", "Rex"],
                "what is red")
            try expectEqual(
                town.names(try related(person, "friends", "Dan"), in: town.person), ["Ann"], "Dan's friends")
            try expectEqual(
                try person.value("teacher", of: session.row("Person", town.key("Dan"))), .integer(town.key("Bob")),
                "Dan's mentor")
        },
        ConformanceCase(
            "migration/to-many", "A to-one relationship may become to-many; the reverse is refused."
        ) {
            let town = try $0.town()
            let lossy = Domain.model.next {
                $0.change("Person") { $0.change(relationship: "favorites") { $0.isToMany = false } }
            }
            let refused = MigrationPlan.inferred(from: Domain.model, to: lossy)
            guard let (session, error) = try $0.refused(town.session, refused, code: .schemaMismatch) else { return }
            try expect(error.message.contains("'Person.favorites'"), "an error that names it, and not \(error)")
            let next = Domain.model.next {
                $0.change("Pet") {
                    $0.change(relationship: "owner") {
                        $0.isToMany = true
                        $0.isOrdered = true
                    }
                }
                $0.change("Book") { $0.change(relationship: "prequel") { $0.isToMany = true } }
            }
            guard let session = try $0.migrated(session, .inferred(from: Domain.model, to: next)) else { return }
            let (person, pet) = (try session.entity("Person"), try session.entity("Pet"))
            try expectEqual(
                try session.related(person.relationship("pets"), of: town.key("Ann")),
                [try town.key("Mia"), try town.key("Rex")], "Ann's pets in order")
            try expectEqual(
                try session.related(pet.relationship("owner"), of: [town.key("Tom"), town.key("Stray")]),
                [try town.key("Tom"): [try town.key("Bob")]], "the owners of Tom and Stray")
        },
        ConformanceCase(
            "migration/dropped-entity", "The rows of an entity that is gone go, and so does what led to them."
        ) {
            let town = try $0.town()
            let next = Domain.model.next {
                $0.drop("Tag")
                $0.drop("Student")
                $0.change("Person") { $0.change(relationship: "favorites") { $0.isOrdered = false } }
            }
            guard let session = try $0.migrated(town.session, .inferred(from: Domain.model, to: next)) else { return }
            let person = try session.entity("Person")
            try expectEqual(try session.count(person.request()), 4, "the persons")
            try expect(try !session.exists("Person", town.key("Dan")), "no row of Dan's")
            let friends = try session.related(person.relationship("friends"), of: town.key("Ann"))
            try expectEqual(friends, [try town.key("Bob")], "Ann's friends")
            let favorites = try session.related(person.relationship("favorites"), of: town.key("Ann"))
            try expectEqual(favorites, [try town.key("Dune"), try town.key("Emma")], "Ann's favorites by key")
            let pupils = try session.related(person.relationship("pupils"), of: town.key("Bob"))
            try expectEqual(pupils, [], "Bob's pupils")
        },
        ConformanceCase(
            "migration/inheritance", "Trees of entities may be joined and parted, and references lead where they did."
        ) {
            let town = try $0.town()
            let joined = Domain.model.next("V2") {
                $0.change("Creature") { $0.change(attribute: "name") { $0.defaultValue = .text("a book") } }
                $0.change("Book") {
                    $0.parent = "Creature"
                    $0.uniqueConstraints = []
                    $0.indexes = []
                }
            }
            guard let session = try $0.migrated(town.session, .inferred(from: Domain.model, to: joined)) else { return }
            let person = try session.entity("Person")
            let favorites = try session.related(person.relationship("favorites"), of: town.key("Ann"))
            let book = try session.entity("Book")
            let titles = try favorites.map { try book.value("title", of: session.row("Book", $0)) }
            try expectEqual(titles, [.text("Emma"), .text("Dune")], "Ann's favorites")
            try expectEqual(try session.count(session.entity("Creature").request()), 13, "the creatures and books")
            let pets = try session.related(person.relationship("pets"), of: town.key("Ann"))
            try expectEqual(town.names(pets, in: town.pet), ["Mia", "Rex"], "Ann's pets")
            try expect(!favorites.contains(try session.newKey("Creature")), "a key that nobody has")

            let parted = joined.next("V3") { $0.change("Book") { $0.parent = nil } }
            guard let session = try $0.migrated(session, .inferred(from: joined, to: parted)) else { return }
            let again = try session.related(session.entity("Person").relationship("favorites"), of: town.key("Ann"))
            try expectEqual(again, favorites, "Ann's favorites, with the keys they had")
            try expectEqual(try session.count(session.entity("Creature").request()), 10, "the creatures")
            try expect(!favorites.contains(try session.newKey("Book")), "a key that no book has")
        },
    ]

    private static let whole: [ConformanceCase] = [
        ConformanceCase("migration/unsupported", "A store that cannot migrate says so, and keeps what it has.") {
            let town = try $0.town()
            guard try $0.closed(town.session) == nil, $0.isPersistent else { return }
            let session = try $0.open()
            try expectEqual(try session.count(session.entity("Creature").request()), 10, "the creatures")
        },
        ConformanceCase("migration/metadata", "A migrated store keeps its id, and has the last step's model.") {
            let session = try $0.open()
            let next = Domain.model.next { $0.rename("Wide", "column7", to: "seven") }
            let plan = MigrationPlan.inferred(from: Domain.model, to: next)
            guard let migrated = try $0.migrated(session, plan) else { return }
            try expectEqual(
                migrated.metadata, StoreMetadata(store: session.metadata.store, model: next), "what it says")
            try expectEqual(try migrated.store.inspect(), migrated.metadata, "what is found when it is inspected")
        },
        ConformanceCase("migration/keys", "Rows keep their keys, and no key is given again.") {
            let session = try $0.open()
            let used = try session.insert("Tag", ["label": .text("old")])
            let reserved = try session.reserve("Tag", 100)
            let next = Domain.model.next { $0.rename("Tag", to: "Label") }
            let plan = MigrationPlan.inferred(from: Domain.model, to: next)
            guard let session = try $0.migrated(session, plan) else { return }
            try expectEqual(try session.keys(session.entity("Label").request()), [used], "the keys")
            let key = try session.newKey("Label")
            try expect(key != used && !reserved.contains(key), "a new key, and found \(key)")
        },
        ConformanceCase("migration/constraints", "Unique constraints are those of the model that the store has then.") {
            let town = try $0.town()
            let next = Domain.model.next {
                $0.change("Book") { $0.uniqueConstraints = [["title"]] }
                $0.change("Tag") { $0.indexes = [["label"]] }
            }
            guard let session = try $0.migrated(town.session, .inferred(from: Domain.model, to: next)) else { return }
            try session.insert("Book", ["title": .text("Other"), "isbn": .text("1")])
            try expectEqual(try session.count(session.entity("Book").request()), 4, "the books, two with one number")
            try session.insert("Book", ["title": .text("Emma"), "isbn": .text("3")])
            try expectEqual(try session.count(session.entity("Book").request()), 4, "the books, 'Emma' merged")
        },
        ConformanceCase("migration/unique-violation", "Rows that break a new unique constraint stop the migration.") {
            let town = try $0.town()
            let next = Domain.model.next {
                $0.change("Book") { $0.uniqueConstraints = [["title"], ["shelf"]] }
                $0.rename("Tag", to: "Label")
            }
            let plan = MigrationPlan.inferred(from: Domain.model, to: next)
            guard let (_, error) = try $0.refused(town.session, plan, code: .uniqueViolation) else { return }
            try expect(error.message.contains("'Book.shelf'"), "an error that names 'Book.shelf', and not \(error)")
        },
        ConformanceCase("migration/atomic", "A transformation that throws leaves the store as it was.") {
            let town = try $0.town()
            let next = Domain.model.next {
                $0.drop("Tag")
                $0.rename("Book", "title", to: "name")
            }
            var plan = MigrationPlan.inferred(from: Domain.model, to: next)
            let place = plan.entities.firstIndex { $0.source == "Book" } ?? 0
            plan.entities[place].transformation = { row in
                if row.value("title") == .text("Ulysses") { throw Refusal() }
                try row.copyAttributes()
            }
            guard let (session, _) = try $0.refused(town.session, plan, code: .failed) else { return }
            let favorites = try session.related(town.person.relationship("favorites"), of: town.key("Ann"))
            try expectEqual(town.names(favorites, in: town.book), ["Emma", "Dune"], "Ann's favorites")
            try session.insert("Tag", ["label": .text("another")])
        },
        ConformanceCase("migration/all-steps-or-none", "Several steps are made together, or none of them.") {
            let town = try $0.town()
            let second = Domain.model.next("V2") { $0.rename("Book", "title", to: "name") }
            let third = second.next("V3") { $0.rename("Book", "name", to: "heading") }
            let wrong = second.next("V3") {
                $0.change("Book") { $0.change(attribute: "name") { $0.type = .dateAttributeType } }
            }
            let first = MigrationPlan.inferred(from: Domain.model, to: second)
            let refused = MigrationPlan.inferred(from: second, to: wrong)
            guard let (session, _) = try $0.refused(town.session, first, refused, code: .schemaMismatch) else { return }
            guard let session = try $0.migrated(session, first, .inferred(from: second, to: third)) else { return }
            let dune = try session.row("Book", town.key("Dune"))
            try expectEqual(try session.entity("Book").value("heading", of: dune), .text("Dune"), "the heading")
        },
        ConformanceCase("migration/report", "A migration says how far it is, step by step, up to the end.") {
            let session = try $0.open()
            let keys = try session.reserve("Tag", 3_000)
            let tag = try session.entity("Tag")
            try session.commit { changes in
                for key in keys { try changes.inserts.append(.init(row: tag.row(key, ["label": .text("\(key)")]))) }
            }
            let second = Domain.model.next("V2") { $0.rename("Tag", "label", to: "name") }
            let third = second.next("V3") { $0.rename("Tag", "name", to: "text") }
            var reports: [MigrationReport] = []
            let steps = (
                MigrationPlan.inferred(from: Domain.model, to: second), MigrationPlan.inferred(from: second, to: third)
            )
            guard try $0.migrated(session, steps.0, steps.1, report: { reports.append($0) }) != nil else { return }
            try expectEqual(reports.map(\.step), reports.map(\.step).sorted(), "the steps")
            for step in 0..<2 {
                let fractions = reports.filter { $0.step == step }.map(\.fraction)
                try expectEqual(fractions, fractions.sorted(), "the fractions of step \(step)")
                try expectEqual(fractions.last, 1, "the last fraction of step \(step)")
                try expect(fractions.contains { $0 > 0 && $0 < 1 }, "a report on the way in step \(step)")
            }
        },
        ConformanceCase("migration/cancel", "A migration stops where the closure that is told of it throws.") {
            let town = try $0.town()
            let next = Domain.model.next { $0.rename("Book", "title", to: "name") }
            let plan = MigrationPlan.inferred(from: Domain.model, to: next)
            try $0.refused(town.session, plan, code: .failed) { _ throws(StorageError) in
                throw StorageError(.failed, "Cancelled.")
            }
        },
        ConformanceCase("migration/wrong-source", "A store of another model than the plan's is refused.") {
            let town = try $0.town()
            let second = Domain.model.next("V2") { $0.rename("Book", "title", to: "name") }
            let third = second.next("V3") { $0.rename("Book", "name", to: "heading") }
            try $0.refused(town.session, .inferred(from: second, to: third), code: .schemaMismatch)
        },
        ConformanceCase("migration/open-store", "An open store is not migrated.") {
            let session = try $0.open()
            guard session.store is any MigratableStorage else { return }
            let next = Domain.model.next { $0.rename("Book", "title", to: "name") }
            try expectThrows(.busy, "a migration of an open store") {
                try session.store.migrate(along: [.inferred(from: Domain.model, to: next)])
            }
            try session.insert("Book", ["title": .text("Still open")])
        },
        ConformanceCase("migration/nothing", "Where there is no store, migrating makes none.") {
            let store = try $0.makeStore()
            guard store is any MigratableStorage else { return }
            let next = Domain.model.next { $0.rename("Book", "title", to: "name") }
            try expectThrows(.unavailable, "a migration of nothing") {
                try store.migrate(along: [.inferred(from: Domain.model, to: next)])
            }
            try expectEqual(try store.inspect(), nil, "what is there")
        },
    ]
}
