import CofferStorage
import Foundation

/// The cases about isolation: the snapshots that readers see while other connections write.
extension ConformanceCase {
    /// What readers see while others write.
    static let isolation: [ConformanceCase] = [
        ConformanceCase(
            "isolation/snapshot", "A reader sees the same from its first use to its end, whatever is committed."
        ) {
            let town = try $0.town()
            let before = try town.session.store.makeReader()
            let count = try before.count(town.person.request())
            let ann = try town.session.row("Person", town.key("Ann"))
            try town.session.commit { changes in
                try changes.updates.append(town.person.update(ann, ["nick": .text("changed")]))
                try changes.deletes.append(town.person.delete(town.key("Bob")))
                try changes.unlinks.append(town.tagLink("Ann", "red"))
                try changes.inserts.append(.init(row: town.pet.row(town.session.newKey("Pet"), ["name": .text("new")])))
            }
            try expectEqual(try before.count(town.person.request()), count, "the count of the reader from before")
            let old = try before.row(root: town.person.entity.root, key: ann.key)
            try expectEqual(try old.map { try town.person.value("nick", of: $0) }, .text("annie"), "Ann's nick")
            let red = try before.related(town.creature.relationship("tags"), of: [ann.key])
            try expectEqual(town.names(red.flatMap(\.rows).map(\.key), in: town.tag), ["red", "blue"], "Ann's tags")
            try expectEqual(try before.keys(town.pet.request()).count, 4, "the pets")
            before.finish()
            try expectEqual(try town.names(town.person), ["Ann", "Cleo", "Dan", "Eve", "ann"], "a new reader's people")
        },
        ConformanceCase("isolation/read-after-commit", "A reader made after a commit returned sees it.") {
            let session = try $0.open()
            let tag = try session.entity("Tag")
            for number in 1...20 {
                try session.insert("Tag", ["label": .text("\(number)")])
                try expectEqual(try session.count(tag.request()), number, "the tags seen")
            }
        },
        ConformanceCase(
            "isolation/readers-in-parallel", "Any number of readers are open at once, each with its own snapshot."
        ) {
            let session = try $0.open()
            let tag = try session.entity("Tag")
            var readers: [any StorageReader] = []
            for number in 0..<20 {
                let reader = try session.store.makeReader()
                _ = try reader.count(tag.request())
                readers.append(reader)
                if number.isMultiple(of: 4) { try session.insert("Tag") }
            }
            for (number, reader) in readers.enumerated().reversed() {
                try expectEqual(try reader.count(tag.request()), (number + 3) / 4, "the tags reader \(number) sees")
                reader.finish()
            }
        },
        ConformanceCase("isolation/reader-does-not-block-writer", "A commit does not wait for a reader to finish.") {
            let town = try $0.town()
            let reader = try town.session.store.makeReader()
            defer { reader.finish() }
            _ = try reader.rows(town.person.request())
            let session = town.session
            try Threads.run(1, within: 30, what: "a commit beside an open reader") { _ in try session.insert("Tag") }
        },
        ConformanceCase("isolation/no-torn-reads", "Readers beside a writer see each commit wholly or not at all.") {
            try readsWholeCommits($0)
        },
        ConformanceCase(
            "isolation/writers-in-parallel", "Commits from several threads are all made, one after the other."
        ) {
            let session = try $0.open()
            let tag = try session.entity("Tag")
            let counter = try session.insert("Tag", ["label": .text("")])
            try Threads.run(4, within: 600, what: "four writers") { number in
                for round in 0..<10 {
                    let row = try session.row("Tag", counter)
                    try session.commit { changes in
                        let key = try session.newKey("Tag")
                        try changes.inserts.append(.init(row: tag.row(key, ["label": .text("\(number).\(round)")])))
                        try changes.updates.append(tag.update(row, ["label": .text("\(number)")]))
                    }
                }
            }
            try expectEqual(try session.count(tag.request()), 41, "the tags")
            try expectEqual(
                try session.row("Tag", counter).version, 41, "the version of the row that each commit changed")
        },
        ConformanceCase("isolation/keys-in-parallel", "Threads that reserve keys at once are given different ones.") {
            let session = try $0.open()
            let seen = Locked<[Int64]>([])
            try Threads.run(4, within: 600, what: "four threads that reserve keys") { _ in
                for _ in 0..<25 {
                    let keys = try session.reserve("Tag", 3)
                    seen.withLock { $0 += keys }
                }
            }
            let keys = seen.withLock { $0 }
            try expectEqual(Set(keys).count, 300, "the number of different keys")
        },
        ConformanceCase(
            "isolation/two-stores",
            "Two stores open at one place see each other's commits; where they cannot, the second is refused as 'busy'."
        ) {
            try opensTwice($0)
        },
    ]

    /// Rows whose sum never changes: each commit moves some from one to the other, until readers have looked often
    /// enough to meet a commit between two reads, also on a busy machine.
    private static func readsWholeCommits(_ context: TestContext) throws {
        let session = try context.open()
        let book = try session.entity("Book")
        let keys = Array(try session.reserve("Book", 20))
        try session.commit { changes in
            for key in keys { try changes.inserts.append(.init(row: book.row(key, ["pages": .integer(100)]))) }
        }
        let isDone = Locked(false)
        let looks = Locked(0)
        let sum = ValueRequest(rows: book.request(), terms: [.aggregate(.sum, try book["pages"])])
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
                            guard case .integer(let pages) = try book.value("pages", of: row) else { continue }
                            try changes.updates.append(book.update(row, ["pages": .integer(pages + sign)]))
                        }
                    }
                }
                return
            }
            var last: Int64 = 0
            while !isDone.withLock({ $0 }) {
                defer { looks.withLock { $0 += 1 } }
                let reader = try session.store.makeReader()
                defer { reader.finish() }
                let rows = try reader.rows(book.request())
                let pages = try rows.map { try book.value("pages", of: $0) }.reduce(Int64(0)) { total, value in
                    if case .integer(let number) = value { total + number } else { total }
                }
                try expectEqual(pages, 2_000, "the sum of all pages, in every snapshot")
                try expectEqual(Set(rows.map(\.version)).count, 1, "how many versions the rows of one snapshot have")
                try expect(last <= rows[0].version, "snapshots to follow each other in the order of the commits")
                last = rows[0].version
                try expectEqual(try reader.values(sum), [[.integer(2_000)]], "the sum the store computes")
                try expectEqual(
                    try reader.row(root: book.entity.root, key: keys[7])?.version, last, "the version, read once more")
            }
        }
    }

    private static func opensTwice(_ context: TestContext) throws {
        guard context.isPersistent else {
            // Each store of such a fixture is a place of its own.
            let session = try context.open()
            try session.insert("Tag")
            let other = try context.open()
            try expectEqual(try other.count(other.entity("Tag").request()), 0, "the tags in another store in memory")
            return
        }
        let one = try context.open()
        guard context.isShared else {
            try expectThrows(.busy, "opening the place again while it is open") { try context.open() }
            try one.insert("Tag")
            return
        }
        let other = try context.open()
        try expectEqual(other.metadata.store, one.metadata.store, "the id of the store")
        let tag = try one.entity("Tag")
        var keys: Set<Int64> = []
        for session in [one, other, one, other] { keys.insert(try session.insert("Tag")) }
        try expectEqual(keys.count, 4, "the number of different keys given by two stores in turn")
        for session in [one, other] {
            try expectEqual(try session.count(tag.request()), 4, "the tags each sees")
            let row = try session.row("Tag", keys.min() ?? 0)
            try session.commit { try $0.updates.append(tag.update(row, ["label": .text("x")])) }
        }
        try expectEqual(try one.row("Tag", keys.min() ?? 0).version, 3, "the version after an update by each")
        try Threads.run(2, within: 600, what: "two stores that write") { number in
            for _ in 0..<10 { try (number == 0 ? one : other).insert("Tag") }
        }
        try expectEqual(try one.count(tag.request()), 24, "the tags in the end")
    }
}
