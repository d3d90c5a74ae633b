import CofferStorage
import Foundation

/// The cases about isolation: the snapshots that readers see while other connections write.
extension ConformanceCase {
    /// The snapshots of readers during the commits of other writers.
    static let isolation: [ConformanceCase] = [
        withTown(
            "isolation/snapshot", "A reader sees one state of the store, whatever other writers commit."
        ) { town in
            let (person, pet, ann) = (try town.person, try town.pet, try town.key("Ann"))
            let before = try town.store.makeReader()
            let count = try before.count(person.request())
            try town.commit {
                try $0.update("Ann", ["nick": .text("changed")])
                try $0.delete("Bob")
                try $0.unlinks = [town.tagLink("Ann", "red")]
                try $0.insert("Pet", ["name": .text("new")])
            }
            try expectEqual(try before.count(person.request()), count, "the count of the older reader")
            let old = try before.row(root: person.entity.root, key: ann)
            try expectEqual(try old.map { try person.value("nick", of: $0) }, .text("annie"), "Ann's nick")
            let tags = try before.related(town.relationship("tags"), of: [ann]).flatMap(\.rows).map(\.key)
            try expectEqual(town.names(tags, in: try town.tag), ["red", "blue"], "Ann's tags")
            try expectEqual(try before.keys(pet.request()).count, 4, "the pets")
            before.finish()
            try town.expectNames(of: person, ["Ann", "Cleo", "Dan", "Eve", "ann"], "the people of a new reader")
        },
        withStore("isolation/read-after-commit", "A reader created after a commit sees this commit.") { session in
            for number in 1...20 {
                try session.insert("Tag", ["label": .text("\(number)")])
                try session.expectCount(of: "Tag", number, "the tags seen")
            }
        },
        withStore(
            "isolation/readers-in-parallel", "Any number of readers can be open at once, each with its own snapshot."
        ) { session in
            let tags = try session.tag.request()
            var readers: [any StorageReader] = []
            for number in 0..<20 {
                let reader = try session.store.makeReader()
                _ = try reader.count(tags)
                readers.append(reader)
                if number.isMultiple(of: 4) { try session.insert("Tag") }
            }
            for (number, reader) in readers.enumerated().reversed() {
                try expectEqual(try reader.count(tags), (number + 3) / 4, "the tags that reader \(number) sees")
                reader.finish()
            }
        },
        withTown("isolation/reader-does-not-block-writer", "A commit does not wait for a reader.") { town in
            try town.read { reader in
                _ = try reader.rows(town.person.request())
                try Threads.run(1, within: 30, what: "a commit beside an open reader") { _ in try town.insert("Tag") }
            }
        },
        withStore(
            "isolation/no-torn-reads", "Readers see each concurrent commit completely or not at all.",
            readsWholeCommits),
        withStore(
            "isolation/writers-in-parallel", "Commits of several threads are all saved, one after the other."
        ) { session in
            let counter = try session.insert("Tag", ["label": .text("")])
            try Threads.run(4, within: 600, what: "four writers") { number in
                for round in 0..<10 {
                    let row = try session.row("Tag", counter)
                    try session.commit {
                        try $0.insert("Tag", ["label": .text("\(number).\(round)")])
                        try $0.update(row, ["label": .text("\(number)")])
                    }
                }
            }
            try session.expectCount(of: "Tag", 41, "the tags")
            try session.expectRow("Tag", counter, version: 41, "the row that each commit changed")
        },
        withStore(
            "isolation/keys-in-parallel", "Threads that reserve keys at the same time receive different keys."
        ) { session in
            let seen = Locked<[Int64]>([])
            try Threads.run(4, within: 600, what: "four threads that reserve keys") { _ in
                for _ in 0..<25 {
                    let keys = try session.reserve("Tag", 3)
                    seen.withLock { $0 += keys }
                }
            }
            try expectEqual(Set(seen.withLock { $0 }).count, 300, "the number of different keys")
        },
        ConformanceCase(
            "isolation/two-stores",
            "Two stores at the same place see each other's commits, or opening the second throws 'busy'.",
            opensTwice),
    ]

    /// Checks that readers always see the same sum while a writer moves pages between rows.
    ///
    /// The writer commits until the readers have read so often that a commit came between two reads, also on a busy
    /// machine.
    private static func readsWholeCommits(_ session: Session) throws {
        let book = try session.book
        let pages = try book.slot("pages")
        let keys = try session.insert("Book", all: Array(repeating: ["pages": .integer(100)], count: 20))
        let isDone = Locked(false)
        let looks = Locked(0)
        let sum = book.values([.aggregate(.sum, try book["pages"])])
        try Threads.run(4, within: 600, what: "three readers and a writer") { number in
            if number == 0 {
                defer { isDone.withLock { $0 = true } }
                var random = SeededGenerator(seed: Settings.seed)
                var commits = 0
                while commits < 60 || (commits < 10_000 && looks.withLock { $0 < 150 }) {
                    commits += 1
                    // On a busy machine, the readers may not run during the first commits.
                    if commits > 2_000 { Thread.sleep(forTimeInterval: 0.001) }
                    let amount = Int64(random.int(1...50))
                    let rows = try session.rows(book.request())
                    try session.commit { changes in
                        for (row, sign) in zip(rows, (0..<20).map { $0.isMultiple(of: 2) ? amount : -amount }) {
                            guard let number = row.number(in: pages) else { continue }
                            try changes.update(row, ["pages": .integer(number + sign)])
                        }
                    }
                }
                return
            }
            var last: Int64 = 0
            while !isDone.withLock({ $0 }) {
                defer { looks.withLock { $0 += 1 } }
                try session.read { reader in
                    let rows = try reader.rows(book.request())
                    let total = rows.compactMap { $0.number(in: pages) }.reduce(0, +)
                    try expectEqual(total, 2_000, "the sum of all pages, in every snapshot")
                    try expectEqual(
                        Set(rows.map(\.version)).count, 1, "the number of versions in one snapshot")
                    try expect(last <= rows[0].version, "snapshots to follow each other in the order of the commits")
                    last = rows[0].version
                    try expectEqual(try reader.values(sum), [[.integer(2_000)]], "the sum that the store computes")
                    let again = try reader.row(root: book.entity.root, key: keys[7])
                    try expectEqual(again?.version, last, "the version, read again")
                }
            }
        }
    }

    private static func opensTwice(_ context: TestContext) throws {
        let one = try context.open()
        guard context.isPersistent else {
            // Each store of such a fixture has its own place.
            try one.insert("Tag")
            try context.open().expectCount(of: "Tag", 0, "the tags in another store in memory")
            return
        }
        guard context.isShared else {
            try expectThrows(.busy, "opening a second store at an open place") { try context.open() }
            try one.insert("Tag")
            return
        }
        let other = try context.open()
        try expectEqual(other.metadata.store, one.metadata.store, "the id of the store")
        let keys = Set(try [one, other, one, other].map { try $0.insert("Tag") })
        try expectEqual(keys.count, 4, "the number of different keys from two stores")
        for session in [one, other] {
            try session.expectCount(of: "Tag", 4, "the tags that each store sees")
            try session.update(session.row("Tag", keys.min() ?? 0), ["label": .text("x")])
        }
        try one.expectRow("Tag", keys.min() ?? 0, version: 3, "after an update by each store")
        try Threads.run(2, within: 600, what: "two stores that write") { number in
            for _ in 0..<10 { try (number == 0 ? one : other).insert("Tag") }
        }
        try one.expectCount(of: "Tag", 24, "the tags at the end")
    }
}
