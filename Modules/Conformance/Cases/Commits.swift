import CofferStorage
import Foundation

/// The cases about commits: inserts, updates, deletes and links; a commit saves all of its changes or none.
extension ConformanceCase {
    /// The effects of a commit on rows; a commit saves all of its changes or none.
    static let commits: [ConformanceCase] = [
        withStore("commits/insert", "A commit inserts a row with version 1.") { session in
            let key = try session.insert("Tag", ["label": .text("new")])
            try session.expectRow("Tag", key, ["label": .text("new")], version: 1)
            try expectEqual(try session.row("Tag", key).key, key, "the key")
        },
        withTown("commits/update", "An update writes only its columns, and increments the version.") { town in
            let result = try town.update("Dan", ["name": .text("Daniel"), "nick": .null, "grade": .integer(5)])
            try town.expectRow("Dan", ["name": .text("Daniel"), "nick": .null], "updated")
            try town.expectRow("Dan", ["grade": .integer(5)], "a column of the sub-entity, updated")
            try town.expectRow(
                "Dan", ["height": .double(1.75), "mentor": .integer(town.key("Bob"))], version: 2, "not updated")
            try expectEqual(try town.row("Dan").entity, try town.student.entity.index, "the entity")
            try expectEqual(result.merges, [], "merges")
        },
        withTown("commits/versions", "Only commits that change a row increment its version.") {
            town in
            for number in 2...5 as ClosedRange<Int64> {
                try town.update("Ann", ["order": .integer(number)])
                try town.expectRow("Ann", version: number)
            }
            try town.expectRow("Bob", version: 1, "a row that was not changed")
        },
        withTown(
            "commits/highest-version", "The change of a row with the highest version throws 'invalidValue'."
        ) { town in
            let builder = RowBuilder(copying: try town.row("Ann"))
            builder.write(version: .max)
            let latest = builder.build()
            try town.expectRefused(.invalidValue, "an update of the highest version") {
                try $0.update(latest, ["order": .integer(7)])
            }
            try town.expectRow("Ann", version: 1)
        },
        withTown("commits/delete", "A commit deletes a row, and keeps the other rows.") { town in
            try town.delete("Dan", "Rex")
            try town.expectNames(of: town.person, ["Ann", "Bob", "Cleo", "Eve", "ann"], "the people")
            try town.expectNames(of: town.pet, ["Mia", "Tom", "Stray"], "the pets")
        },
        withTown("commits/delete-again", "The deletion of a deleted row is not a conflict.") { town in
            for _ in 0..<2 { try town.delete("Bob") }
            try expect(try !town.exists("Person", town.key("Bob")), "no Bob")
        },
        withTown("commits/empty", "An empty change set changes nothing.") { town in
            let result = try town.store.commit(ChangeSet())
            try expectEqual(result.merges.count + result.refreshed.count, 0, "the number of merges and refreshed rows")
            try expectEqual(try town.rows(town.creature.request()).count, 10, "the creatures")
        },
        withTown(
            "commits/other-columns",
            "Two commits of different columns are both saved; the second receives the merged row."
        ) { town in
            let base = try town.row("Ann")
            try town.update(base, ["nick": .text("first")])
            let result = try town.update(base, ["height": .double(2)])
            try town.expectRow("Ann", ["nick": .text("first"), "height": .double(2)], version: 3)
            try town.expectReported("Person", base.key, by: result)
        },
        withTown("commits/same-column", "If two commits write the same column, the later value is stored.") { town in
            let base = try town.row("Ann")
            for nick in ["first", "second"] { try town.update(base, ["nick": .text(nick)]) }
            try town.expectRow("Ann", ["nick": .text("second")], version: 3)
        },
        withTown(
            "commits/nothing-to-report", "A commit without merges reports no merges and no changed rows."
        ) { town in
            let result = try town.commit {
                try $0.insert("Tag", ["label": .text("x")])
                try $0.update("Ann", ["nick": .text("x")])
            }
            try expectEqual(result.merges, [], "the merges")
            try expectEqual(result.refreshed.map(\.key), [], "the keys of refreshed rows")
        },
        withTown(
            "commits/conflict", "The update of a deleted row is a conflict, and nothing of the commit is saved."
        ) { town in
            let bob = try town.row("Bob")
            try town.delete("Bob")
            try expectNoTrace(of: .conflict, "a commit with an update of a deleted row", in: town) {
                try $0.update(bob, ["nick": .text("x")])
            }
        },
        withTown("commits/atomic", "A failed commit saves none of its changes.") { town in
            try expectNoTrace(
                of: .uniqueViolation, "a commit with an update that breaks a unique constraint", in: town
            ) {
                try $0.update("Emma", ["isbn": .text("1")])
            }
            try town.expectRow("Emma", ["isbn": .null])
            try town.insert("Tag", ["label": .text("after")])
            try town.expectCount(of: "Tag", 4, "the tags after a successful commit")
        },
        withStore("commits/large", "A commit can contain tens of thousands of changes.") { session in
            let keys = try session.insert("Tag", all: (0..<20_000).map { ["label": .text("label \($0)")] })
            try session.expectCount(of: "Tag", 20_000, "the tags")
            try session.commit { changes in
                for key in keys where key % 2 == 0 { try changes.delete("Tag", key: key) }
            }
            try session.expectCount(of: "Tag", 10_000, "the remaining tags")
        },
        withStore("commits/reserving-none", "A reservation of no keys returns the next key.") { session in
            for count in [1, 5, 2] {
                let none = try session.reserve("Person", 0)
                try expectEqual(none.count, 0, "the number of keys reserved")
                let next = try session.reserve("Person", count)
                try expectEqual(next.lowerBound, none.lowerBound, "the start of the next reservation")
            }
        },
        withStore(
            "commits/keys-are-reserved-once", "A store reserves each key only once, whether it is used or not."
        ) { session in
            var seen: Set<Int64> = []
            for count in [1, 1, 100, 1, 5_000, 3] {
                let keys = try session.reserve("Person", count)
                try expectEqual(keys.count, count, "the number of keys reserved")
                try expect(keys.lowerBound > 0, "positive keys, and \(keys) are not")
                try expect(seen.isDisjoint(with: keys), "new keys, and some of \(keys) were reserved before")
                seen.formUnion(keys)
            }
            for entity in ["Pet", "Student", "Creature"] {
                let keys = try session.reserve(entity)
                try expect(
                    seen.isDisjoint(with: keys), "one key space for the tree, and '\(entity)' received \(keys) again")
                seen.formUnion(keys)
            }
        },
        withStore("commits/key-survives-deletion", "The key of a deleted row is not reserved again.") { session in
            let key = try session.insert("Tag")
            try session.commit { try $0.delete("Tag", key: key) }
            for _ in 0..<10 { try expect(try session.newKey("Tag") != key, "a key other than the deleted \(key)") }
        },
        ConformanceCase("commits/random", "After random commits, a store contains the same rows as a dictionary.") {
            try DifferentialTest.run($0, .commits)
        },
    ]

    /// Checks that a commit is refused and leaves no trace.
    ///
    /// The commit inserts a tag, updates Ann, deletes Dan, and changes links of Ann and Eve. The closure adds more
    /// changes.
    static func expectNoTrace(
        of code: StorageError.Code, _ what: String, in town: Session, _ build: (inout Changes) throws -> Void
    ) throws {
        let key = try town.newKey("Tag")
        try town.expectRefused(code, what) {
            try $0.insert("Tag", ["label": .text("x")], key: key)
            try $0.update("Ann", ["nick": .text("x")])
            try $0.delete("Dan")
            try $0.links = [town.tagLink("Eve", "red")]
            try $0.unlinks = [town.tagLink("Ann", "red")]
            try build(&$0)
        }
        try expect(try !town.exists("Tag", key), "no inserted tag")
        try town.expectRow("Ann", ["nick": .text("annie")], version: 1)
        try expect(try town.exists("Person", town.key("Dan")), "Dan to exist")
        try town.expectRelated("bearers", ["red": ["Ann", "Dan", "Rex"]])
    }
}
