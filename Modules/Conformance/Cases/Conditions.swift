import CofferStorage

/// The cases about the conditions of a commit: the commit fails if a former read would now have another result.
extension ConformanceCase {
    /// The conditions of a commit: rows and values that must not have changed since they were read.
    static let conditions: [ConformanceCase] = [
        withTown(
            "conditions/unchanged", "If a row must be unchanged but was changed, the conflict contains both versions."
        ) { town in
            let base = try town.row("Ann")
            try town.commit {
                try $0.update(base, ["nick": .text("zero"), "height": .double(2)])
                $0.conditions = [.unchanged(base, mayBeGone: false)]
            }
            let error = try town.expectRefused(.conflict, "a commit on a row that another commit changed") {
                try $0.update(base, ["nick": .text("second")])
                $0.conditions = [.unchanged(base, mayBeGone: false)]
            }
            try expectEqual(error.conflicts.map(\.key), [base.key], "the keys of the conflicts")
            let conflict = error.conflicts[0]
            try expectEqual(conflict.entity, "Person", "the entity of the conflict")
            try expectEqual(conflict.changedElsewhere, ["height", "nick"], "the columns changed elsewhere")
            let nicks = [conflict.base["nick"], conflict.stored?["nick"], conflict.wanted?["nick"]]
            try expectEqual(nicks, [.text("annie"), .text("zero"), .text("second")], "the three nicks")
            for word in ["annie", "zero", "second"] {
                try expect(!"\(error) \(error.debugDescription) \(error.conflicts)".contains(word), "no value shown")
            }
            try town.expectRow("Ann", ["nick": .text("zero")])
            let now = try town.row("Ann")
            try town.commit {
                try $0.update(base, ["nick": .text("second")])
                $0.conditions = [.unchanged(now, mayBeGone: false)]
            }
            try town.expectRow("Ann", ["nick": .text("second")], "after a commit on the current row")
        },
        withTown(
            "conditions/deleted",
            "If a row must be unchanged but was deleted, the commit is a conflict, unless deletion is allowed."
        ) { town in
            let bob = try town.row("Bob")
            try town.delete("Bob")
            let error = try town.expectRefused(.conflict, "a commit on a deleted row") {
                try $0.delete("Bob")
                $0.conditions = [.unchanged(bob, mayBeGone: false)]
            }
            try expectEqual(error.conflicts.map { $0.stored?.count }, [nil], "the columns stored, in one conflict")
            try town.commit {
                try $0.delete("Bob")
                $0.conditions = [.unchanged(bob, mayBeGone: true)]
            }
        },
        withTown("conditions/atomic", "A commit whose condition is false saves nothing.") { town in
            let (ann, cleo) = (try town.row("Ann"), try town.row("Cleo"))
            try town.update(cleo, ["nick": .text("c")])
            try expectNoTrace(of: .conflict, "a commit with a false condition", in: town) {
                $0.conditions = [.unchanged(ann, mayBeGone: false), .unchanged(cleo, mayBeGone: false)]
            }
        },
        withTown("conditions/rows", "A read request must still return the same rows and versions.") { town in
            let tall = try town.person.request(
                where: .compare(town.person["height"], .greaterOrEqual, .value(.double(1.7))))
            try holds(
                town, .rows(tall, town.rows(tall).map(ChangeSet.RowVersion.init)), after: "Bob", ["nick": .text("b")],
                butNotAfter: "Bob", ["height": .double(1.8)])
            try holds(
                town, .rows(tall, town.rows(tall).map(ChangeSet.RowVersion.init)), after: "Cleo",
                ["height": .double(1.5)], butNotAfter: "Ann", ["nick": .text("a")])
        },
        withTown("conditions/rows-by-key", "Rows that were read by key must be the same.") { town in
            let new = try town.newKey("Person")
            let keys = try [town.key("Ann"), new, town.key("Bob")]
            let root = try town.person.entity.root
            let read = { try town.read { try $0.rows(root: root, keys: keys) }.map(ChangeSet.RowVersion.init) }
            try holds(
                town, .rowsByKey(root: root, keys: keys, read().reversed()), after: "Cleo", ["nick": .text("c")],
                butNotAfter: "Bob", ["nick": .text("b")])
            let again = try read()
            try town.commit { try $0.insert("Person", key: new) }
            try expectRefused(
                town, .rowsByKey(root: root, keys: keys, again), "a commit after a missing row was inserted")
        },
        withTown("conditions/keys-and-counts", "Keys and counts that were read must be the same.") { town in
            let first = try town.person.request(where: town.person["order"] == .integer(3))
            try holds(
                town, .keys(first, town.keys(first)), after: "Ann", ["nick": .text("a")], butNotAfter: "Bob",
                ["order": .integer(3)])
            try holds(
                town, .count(first, town.count(first)), after: "Cleo", ["order": .integer(7)], butNotAfter: "Ann",
                ["order": .integer(4)])
        },
        withTown("conditions/values", "Values that a store computed must be the same.") { town in
            let sum = try town.person.values([.aggregate(.sum, town.person["order"])])
            try holds(
                town, .values(sum, town.values(sum)), after: "Ann", ["nick": .text("a")], butNotAfter: "Bob",
                ["order": .integer(1)])
        },
        withTown("conditions/related", "Related rows that were read must be the same rows in the same order.") { town in
            func condition(_ name: String, _ owners: [String]) throws -> ChangeSet.Condition {
                let (index, keys) = try (town.relationship(name), owners.map(town.key))
                let answer = Dictionary(
                    try town.read { try $0.related(index, of: keys) }.map {
                        ($0.owner, $0.rows.map(ChangeSet.RowVersion.init))
                    }, uniquingKeysWith: { $1 })
                return .related(relationship: index, owners: keys, answer.filter { !$0.value.isEmpty })
            }
            try holds(
                town, condition("pets", ["Ann", "Bob", "Cleo"]), after: "Cleo", ["nick": .text("c")],
                butNotAfter: "Stray", ["owner": .integer(town.key("Cleo"))])
            try holds(
                town, condition("bearers", ["red", "empty"]), after: "Bob", ["nick": .text("b")], butNotAfter: "Rex",
                ["species": .text("wolf")])
            let red = try condition("bearers", ["red", "empty"])
            try town.commit { try $0.links = [town.tagLink("Eve", "empty")] }
            try expectRefused(town, red, "a commit after a link was added")
        },
        withStore(
            "conditions/in-parallel", "No commit comes between the check of a condition and its changes.",
            countsInParallel),
    ]

    /// Runs writers whose commits depend on the values that they read; after a conflict, a writer reads again.
    private static func countsInParallel(_ session: Session) throws {
        let book = try session.book
        let keys = try ["1", "2"].map { try session.insert("Book", ["isbn": .text($0), "pages": .integer(0)]) }
        let sum = try book.values([.aggregate(.sum, book["pages"])])
        let acknowledged = Locked(0)
        try Threads.run(4, within: 600, what: "four writers with conditions") { number in
            var rounds = 0
            while rounds < 15 {
                let key = keys[(number + rounds) % 2]
                do {
                    let reader = try session.store.makeReader()
                    defer { reader.finish() }
                    guard let row = try reader.row(root: book.entity.root, key: key),
                        case .integer(let total)? = try reader.values(sum).first?.first
                    else { continue }
                    // Half of the writers depend on the row, the other half on the sum of both rows.
                    try session.commit { changes in
                        if number % 2 == 0 {
                            guard case .integer(let pages) = try book.value("pages", of: row) else { return }
                            try changes.update(row, ["pages": .integer(pages + 1)])
                            changes.conditions.append(.unchanged(row, mayBeGone: false))
                        } else {
                            try changes.update(row, ["pages": .integer(total + 1)])
                            changes.conditions.append(.values(sum, [[.integer(total)]]))
                            for row in try reader.rows(root: book.entity.root, keys: keys) where row.key != key {
                                try changes.update(row, ["pages": .integer(0)])
                            }
                        }
                    }
                    acknowledged.withLock { $0 += 1 }
                    rounds += 1
                } catch let error as StorageError {
                    guard error.code == .conflict || (error.code == .busy && error.isRetryable) else { throw error }
                }
            }
        }
        let total = Int64(acknowledged.withLock { $0 })
        try session.expectValues(sum, [[.integer(total)]], "the sum of the acknowledged commits")
    }

    /// Checks that a commit with a condition is refused.
    private static func expectRefused(_ town: Session, _ condition: ChangeSet.Condition, _ what: String) throws {
        try town.expectRefused(.conflict, what) {
            try $0.insert("Tag")
            $0.conditions = [condition]
        }
    }

    /// Checks that a condition holds after a change of one row, but not after a change of another row.
    private static func holds(
        _ town: Session, _ condition: ChangeSet.Condition, after harmless: String, _ values: [String: Value],
        butNotAfter harmful: String, _ others: [String: Value]
    ) throws {
        func commit() throws {
            try town.commit {
                try $0.insert("Tag")
                $0.conditions = [condition]
            }
        }
        try commit()
        try town.update(harmless, values)
        try commit()
        try town.update(harmful, others)
        try expectRefused(town, condition, "a commit after '\(harmful)' changed")
    }
}
