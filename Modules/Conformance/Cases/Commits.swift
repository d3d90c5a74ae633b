import CofferStorage
import Foundation

/// The cases about commits: inserts, updates, deletes and links; a commit saves all of its changes or none.
extension ConformanceCase {
    /// What a commit does to rows, and that it does all or nothing.
    static let commits: [ConformanceCase] = [
        ConformanceCase("commits/insert", "An inserted row is there after the commit, with version 1.") {
            let session = try $0.open()
            let key = try session.insert("Tag", ["label": .text("new")])
            let row = try session.row("Tag", key)
            try expectEqual(try session.entity("Tag").value("label", of: row), .text("new"), "the label")
            try expectEqual(row.version, 1, "the version")
            try expectEqual(row.key, key, "the key")
        },
        ConformanceCase("commits/update", "An update writes its columns and no others, and counts the version up.") {
            let town = try $0.town()
            let dan = try town.session.row("Person", town.key("Dan"))
            let update = try town.student.update(dan, ["name": .text("Daniel"), "nick": .null, "grade": .integer(5)])
            let result = try town.session.commit { $0.updates.append(update) }
            let found = try town.session.row("Person", dan.key)
            try expectEqual(try town.student.value("name", of: found), .text("Daniel"), "the name, updated")
            try expectEqual(try town.student.value("nick", of: found), .null, "the nick, updated to null")
            try expectEqual(
                try town.student.value("grade", of: found), .integer(5), "a column of the sub-entity, updated")
            try expectEqual(try town.student.value("height", of: found), .double(1.75), "the height, not updated")
            try expectEqual(try town.student.value("mentor", of: found), .integer(try town.key("Bob")), "the mentor")
            try expectEqual(found.version, 2, "the version")
            try expectEqual(found.entity, town.student.entity.index, "the entity")
            try expectEqual(result.merges, [], "merges")
        },
        ConformanceCase("commits/versions", "The version of a row counts the commits that changed it, and no others.") {
            let town = try $0.town()
            for number in 2...5 {
                let ann = try town.session.row("Person", town.key("Ann"))
                try town.session.commit {
                    try $0.updates.append(town.person.update(ann, ["order": .integer(Int64(number))]))
                }
                try expectEqual(try town.session.row("Person", ann.key).version, Int64(number), "Ann's version")
            }
            try expectEqual(
                try town.session.row("Person", town.key("Bob")).version, 1, "the version of Bob, whom nobody changed")
        },
        ConformanceCase(
            "commits/highest-version", "A row whose version cannot rise is not changed: an 'invalidValue'."
        ) {
            let town = try $0.town()
            let ann = try town.session.row("Person", town.key("Ann"))
            var update = try town.person.update(ann, ["order": .integer(7)])
            let latest = RowBuilder(copying: update.row)
            latest.write(version: .max)
            update.row = latest.build()
            try expectThrows(.invalidValue, "an update of the highest version") {
                try town.session.commit { $0.updates = [update] }
            }
            try expectEqual(try town.session.row("Person", ann.key).version, ann.version, "Ann's version")
        },
        ConformanceCase("commits/delete", "A deleted row is gone, and others stay.") {
            let town = try $0.town()
            try town.session.commit {
                try $0.deletes += [town.student.delete(town.key("Dan")), town.pet.delete(town.key("Rex"))]
            }
            try expectEqual(try town.names(town.person), ["Ann", "Bob", "Cleo", "Eve", "ann"], "the people")
            try expectEqual(try town.names(town.pet), ["Mia", "Tom", "Stray"], "the pets")
        },
        ConformanceCase("commits/delete-again", "Deleting a row that is gone already is not a conflict.") {
            let town = try $0.town()
            for _ in 0..<2 {
                try town.session.commit { try $0.deletes.append(town.person.delete(town.key("Bob"))) }
            }
            try expect(try !town.session.exists("Person", town.key("Bob")), "no Bob")
        },
        ConformanceCase("commits/empty", "An empty change set changes nothing.") {
            let town = try $0.town()
            let result = try town.session.store.commit(ChangeSet())
            try expectEqual(result.merges.count + result.refreshed.count, 0, "what the commit reported")
            try expectEqual(try town.names(town.creature).count, 10, "the creatures")
        },
        ConformanceCase(
            "commits/other-columns", "Two writers of different columns both win; the second is told the row as it is."
        ) {
            let town = try $0.town()
            let base = try town.session.row("Person", town.key("Ann"))
            try town.session.commit { try $0.updates.append(town.person.update(base, ["nick": .text("first")])) }
            let result = try town.session.commit { changes in
                try changes.updates.append(town.person.update(base, ["height": .double(2)]))
            }
            let found = try town.session.row("Person", base.key)
            try expectEqual(try town.person.value("nick", of: found), .text("first"), "the first writer's column")
            try expectEqual(try town.person.value("height", of: found), .double(2), "the second writer's column")
            try expectEqual(found.version, 3, "the version")
            let told = result.refreshed.filter { $0.key == base.key }
            try expectEqual(told.map(\.version), [3], "the version of the row the second writer is told")
            let kinds = town.person.entity.kinds
            try expectEqual(told.map { $0.values(kinds) }, [found.values(kinds)], "the row the second writer is told")
        },
        ConformanceCase("commits/same-column", "Of two writers of the same column the later wins.") {
            let town = try $0.town()
            let base = try town.session.row("Person", town.key("Ann"))
            for nick in ["first", "second"] {
                try town.session.commit { try $0.updates.append(town.person.update(base, ["nick": .text(nick)])) }
            }
            let found = try town.session.row("Person", base.key)
            try expectEqual(try town.person.value("nick", of: found), .text("second"), "the nick")
            try expectEqual(found.version, 3, "the version")
        },
        ConformanceCase(
            "commits/nothing-to-report", "A commit that went as asked reports no merges, and no rows that differ."
        ) {
            let town = try $0.town()
            let ann = try town.session.row("Person", town.key("Ann"))
            let result = try town.session.commit { changes in
                try changes.inserts.append(.init(row: town.tag.row(town.session.newKey("Tag"), ["label": .text("x")])))
                try changes.updates.append(town.person.update(ann, ["nick": .text("x")]))
            }
            try expectEqual(result.merges, [], "the merges")
            try expectEqual(result.refreshed.map(\.key), [], "the keys of refreshed rows")
        },
        ConformanceCase(
            "commits/conflict", "Updating a row that is gone is a conflict, and nothing of the commit is done."
        ) {
            let town = try $0.town()
            let bob = try town.session.row("Person", town.key("Bob"))
            let ann = try town.session.row("Person", town.key("Ann"))
            try town.session.commit { $0.deletes.append(town.person.delete(bob.key)) }
            let key = try town.session.newKey("Tag")
            try expectThrows(.conflict, "a commit with an update of a deleted row") {
                try town.session.commit { changes in
                    try changes.inserts.append(.init(row: town.tag.row(key, ["label": .text("x")])))
                    try changes.updates.append(town.person.update(ann, ["nick": .text("x")]))
                    try changes.updates.append(town.person.update(bob, ["nick": .text("x")]))
                    try changes.deletes.append(town.person.delete(town.key("Dan")))
                    try changes.links.append(town.tagLink("Eve", "red"))
                    try changes.unlinks.append(town.tagLink("Ann", "red"))
                }
            }
            try expectUntouched(town, newTag: key)
        },
        ConformanceCase("commits/atomic", "A commit that fails leaves no trace of any of its changes.") {
            let town = try $0.town()
            let ann = try town.session.row("Person", town.key("Ann"))
            let emma = try town.session.row("Book", town.key("Emma"))
            try town.session.commit { try $0.deletes.append(town.person.delete(town.key("Bob"))) }
            let key = try town.session.newKey("Tag")
            try expectThrows(.uniqueViolation, "a commit with an update that breaks a unique constraint") {
                try town.session.commit { changes in
                    try changes.inserts.append(.init(row: town.tag.row(key, ["label": .text("x")])))
                    try changes.updates.append(town.person.update(ann, ["nick": .text("x")]))
                    try changes.deletes.append(town.person.delete(town.key("Dan")))
                    try changes.links.append(town.tagLink("Eve", "red"))
                    try changes.unlinks.append(town.tagLink("Ann", "red"))
                    try changes.updates.append(town.book.update(emma, ["isbn": .text("1")]))
                }
            }
            try expectUntouched(town, newTag: key)
            try expectEqual(try town.book.value("isbn", of: town.session.row("Book", emma.key)), .null, "Emma's isbn")
            try town.session.insert("Tag", ["label": .text("after")])
            try expectEqual(try town.session.count(town.tag.request()), 4, "the tags after a commit that works")
        },
        ConformanceCase("commits/large", "A commit may hold tens of thousands of changes.") {
            let session = try $0.open()
            let tag = try session.entity("Tag")
            let keys = try session.reserve("Tag", 20_000)
            try session.commit { changes in
                for key in keys {
                    try changes.inserts.append(.init(row: tag.row(key, ["label": .text("label \(key)")])))
                }
            }
            try expectEqual(try session.count(tag.request()), 20_000, "the tags")
            try session.commit { changes in
                for key in keys where key % 2 == 0 { changes.deletes.append(tag.delete(key)) }
            }
            try expectEqual(try session.count(tag.request()), 10_000, "the tags left")
        },
        ConformanceCase("commits/reserving-none", "Reserving no keys tells where the next reservation begins.") {
            let session = try $0.open()
            for count in [1, 5, 2] {
                let none = try session.reserve("Person", 0)
                try expectEqual(none.count, 0, "the number of keys reserved")
                try expectEqual(
                    try session.reserve("Person", count).lowerBound, none.lowerBound,
                    "where the next reservation begins")
            }
        },
        ConformanceCase("commits/keys-are-reserved-once", "No key is ever given twice, whether it was used or not.") {
            let session = try $0.open()
            var seen: Set<Int64> = []
            for count in [1, 1, 100, 1, 5_000, 3] {
                let keys = try session.reserve("Person", count)
                try expectEqual(keys.count, count, "the number of keys reserved")
                try expect(keys.lowerBound > 0, "positive keys, and \(keys) are not")
                try expect(seen.isDisjoint(with: keys), "keys not given before, and some of \(keys) were")
                seen.formUnion(keys)
            }
            for entity in ["Pet", "Student", "Creature"] {
                let keys = try session.reserve(entity)
                try expect(
                    seen.isDisjoint(with: keys), "one key space for the tree, and '\(entity)' was given \(keys) again")
                seen.formUnion(keys)
            }
        },
        ConformanceCase("commits/key-survives-deletion", "The key of a deleted row is not given to another.") {
            let session = try $0.open()
            let key = try session.insert("Tag")
            try session.commit { try $0.deletes.append(session.entity("Tag").delete(key)) }
            for _ in 0..<10 { try expect(try session.newKey("Tag") != key, "a key other than the deleted \(key)") }
        },
        ConformanceCase("commits/random", "After random commits a store holds what a naive dictionary holds.") {
            try DifferentialTest.run($0, .commits)
        },
    ]

    /// The town after Bob left and a commit failed that changed Ann, Dan, Eve and a tag.
    private static func expectUntouched(_ town: Town, newTag: Int64) throws {
        try expect(try !town.session.exists("Tag", newTag), "no inserted tag")
        let ann = try town.session.row("Person", town.key("Ann"))
        try expectEqual(try town.person.value("nick", of: ann), .text("annie"), "Ann's nick")
        try expectEqual(ann.version, 1, "Ann's version")
        try expect(try town.session.exists("Person", town.key("Dan")), "Dan to be there")
        try expectEqual(try town.names(town.tag, "bearers", of: "red"), ["Ann", "Dan", "Rex"], "who is red")
    }
}
