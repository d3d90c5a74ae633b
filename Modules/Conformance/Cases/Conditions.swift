import CofferStorage

/// The cases about the conditions of a commit: the commit fails if a former read would now have another result.
extension ConformanceCase {
    /// What must still be as it was read for a commit to be made.
    static let conditions: [ConformanceCase] = [
        ConformanceCase(
            "conditions/unchanged", "A row that must be unchanged and is not is a conflict that tells both versions."
        ) {
            let town = try $0.town()
            let base = try town.session.row("Person", town.key("Ann"))
            let update = try town.person.update(base, ["nick": .text("second")])
            try town.session.commit { changes in
                try changes.updates.append(town.person.update(base, ["nick": .text("zero"), "height": .double(2)]))
                changes.conditions.append(.unchanged(base, mayBeGone: false))
            }
            let error = try expectThrows(.conflict, "a commit on a row that was changed meanwhile") {
                try town.session.commit { changes in
                    changes.updates.append(update)
                    changes.conditions.append(.unchanged(base, mayBeGone: false))
                }
            }
            let conflict = try error.onlyConflict
            try expectEqual(conflict.entity, "Person", "the entity of the conflict")
            try expectEqual(conflict.key, base.key, "its key")
            try expectEqual(conflict.changedElsewhere, ["height", "nick"], "the columns changed elsewhere")
            let nicks = [conflict.base["nick"], conflict.stored?["nick"], conflict.wanted?["nick"]]
            try expectEqual(nicks, [.text("annie"), .text("zero"), .text("second")], "the three nicks")
            for word in ["annie", "zero", "second"] {
                try expect(!"\(error) \(error.debugDescription) \(error.conflicts)".contains(word), "no value shown")
            }
            let now = try town.session.row("Person", base.key)
            try expectEqual(try town.person.value("nick", of: now), .text("zero"), "the nick")
            try town.session.commit { changes in
                changes.updates.append(update)
                changes.conditions.append(.unchanged(now, mayBeGone: false))
            }
            try expectEqual(
                try town.person.value("nick", of: town.session.row("Person", base.key)), .text("second"),
                "the nick after a commit on the row as it is")
        },
        ConformanceCase(
            "conditions/deleted", "A row that must be unchanged and is gone is a conflict, unless it may be gone."
        ) {
            let town = try $0.town()
            let bob = try town.session.row("Person", town.key("Bob"))
            try town.session.commit { $0.deletes.append(town.person.delete(bob.key)) }
            func delete(mayBeGone: Bool) throws {
                try town.session.commit { changes in
                    changes.deletes.append(town.person.delete(bob.key))
                    changes.conditions.append(.unchanged(bob, mayBeGone: mayBeGone))
                }
            }
            let error = try expectThrows(.conflict, "a commit on a row that is gone") { try delete(mayBeGone: false) }
            try expectEqual(try error.onlyConflict.stored?.count, nil, "the number of columns stored")
            try delete(mayBeGone: true)
        },
        ConformanceCase("conditions/atomic", "A commit with a condition that does not hold leaves no trace.") {
            let town = try $0.town()
            let cleo = try town.session.row("Person", town.key("Cleo"))
            let ann = try town.session.row("Person", town.key("Ann"))
            try town.session.commit { try $0.updates.append(town.person.update(cleo, ["nick": .text("c")])) }
            let key = try town.session.newKey("Tag")
            try expectThrows(.conflict, "a commit with a condition that does not hold") {
                try town.session.commit { changes in
                    try changes.inserts.append(.init(row: town.tag.row(key, ["label": .text("x")])))
                    try changes.updates.append(town.person.update(ann, ["nick": .text("x")]))
                    try changes.deletes.append(town.person.delete(town.key("Dan")))
                    try changes.links.append(town.tagLink("Eve", "red"))
                    try changes.unlinks.append(town.tagLink("Ann", "red"))
                    changes.conditions.append(.unchanged(ann, mayBeGone: false))
                    changes.conditions.append(.unchanged(cleo, mayBeGone: false))
                }
            }
            try expect(try !town.session.exists("Tag", key), "no inserted tag")
            try expectEqual(try town.session.row("Person", ann.key).version, 1, "Ann's version")
            try expectEqual(try town.names(town.tag, "bearers", of: "red"), ["Ann", "Dan", "Rex"], "who is red")
        },
        ConformanceCase("conditions/rows", "Rows that were read must be the same rows, of the same versions.") {
            let town = try $0.town()
            let tall = try town.person.request(
                where: .compare(town.person["height"], .greaterOrEqual, .value(.double(1.7))))
            try holds(
                town, .rows(tall, town.session.rows(tall).map(ChangeSet.RowVersion.init)),
                after: ["Bob": ["nick": .text("b")]], butNotAfter: ["Bob": ["height": .double(1.8)]])
            try holds(
                town, .rows(tall, town.session.rows(tall).map(ChangeSet.RowVersion.init)),
                after: ["Cleo": ["height": .double(1.5)]], butNotAfter: ["Ann": ["nick": .text("a")]])
        },
        ConformanceCase("conditions/rows-by-key", "Rows that were read by their keys must be the same, and no more.") {
            let town = try $0.town()
            let new = try town.session.newKey("Person")
            let keys = try [town.key("Ann"), new, town.key("Bob")]
            let root = town.person.entity.root
            let read = try town.session.store.read { reader throws(StorageError) in
                try reader.rows(root: root, keys: keys)
            }
            let condition = ChangeSet.Condition.rowsByKey(
                root: root, keys: keys, read.map(ChangeSet.RowVersion.init).reversed())
            try holds(
                town, condition, after: ["Cleo": ["nick": .text("c")]], butNotAfter: ["Bob": ["nick": .text("b")]])
            let again = try town.session.store.read { reader throws(StorageError) in
                try reader.rows(root: root, keys: keys)
            }
            try town.session.commit { try $0.inserts.append(.init(row: town.person.row(new))) }
            try expectThrows(.conflict, "a commit after a row came that was not there") {
                try town.session.commit { changes in
                    try changes.inserts.append(.init(row: town.tag.row(town.session.newKey("Tag"))))
                    changes.conditions.append(
                        .rowsByKey(root: root, keys: keys, again.map(ChangeSet.RowVersion.init)))
                }
            }
        },
        ConformanceCase("conditions/keys-and-counts", "Keys and counts that were read must be the same.") {
            let town = try $0.town()
            let first = try town.person.request(
                where: .compare(town.person["order"], .equal, .value(.integer(3))))
            try holds(
                town, .keys(first, town.session.keys(first)), after: ["Ann": ["nick": .text("a")]],
                butNotAfter: ["Bob": ["order": .integer(3)]])
            try holds(
                town, .count(first, town.session.count(first)), after: ["Cleo": ["order": .integer(7)]],
                butNotAfter: ["Ann": ["order": .integer(4)]])
        },
        ConformanceCase("conditions/values", "Values that a store computed must be the same.") {
            let town = try $0.town()
            let sum = try ValueRequest(rows: town.person.request(), terms: [.aggregate(.sum, town.person["order"])])
            let read = try town.session.store.read { reader throws(StorageError) in try reader.values(sum) }
            try holds(
                town, .values(sum, read), after: ["Ann": ["nick": .text("a")]],
                butNotAfter: ["Bob": ["order": .integer(1)]])
        },
        ConformanceCase("conditions/related", "What relationships led to must be the same rows, in the same order.") {
            let town = try $0.town()
            func condition(_ entity: TestEntity, _ name: String, _ owners: [String]) throws -> ChangeSet.Condition {
                let (index, keys) = try (entity.relationship(name), owners.map(town.key))
                let read = try town.session.store.read { reader throws(StorageError) in
                    try reader.related(index, of: keys)
                }
                let answer = Dictionary(
                    read.map { ($0.owner, $0.rows.map(ChangeSet.RowVersion.init)) }, uniquingKeysWith: { $1 })
                return .related(relationship: index, owners: keys, answer.filter { !$0.value.isEmpty })
            }
            try holds(
                town, condition(town.person, "pets", ["Ann", "Bob", "Cleo"]), after: ["Cleo": ["nick": .text("c")]],
                butNotAfter: ["Stray": ["owner": .integer(town.key("Cleo"))]])
            try holds(
                town, condition(town.tag, "bearers", ["red", "empty"]), after: ["Bob": ["nick": .text("b")]],
                butNotAfter: ["Rex": ["species": .text("wolf")]])
            let red = try condition(town.tag, "bearers", ["red", "empty"])
            try town.session.commit { try $0.links.append(town.tagLink("Eve", "empty")) }
            try expectThrows(.conflict, "a commit after a link was added") { try commit(town, red) }
        },
        ConformanceCase(
            "conditions/in-parallel", "Nobody comes between a condition and the changes that were made on it."
        ) {
            try countsInParallel($0)
        },
    ]

    /// Writers that each count on what they read; those that are told of a conflict read again.
    private static func countsInParallel(_ context: TestContext) throws {
        let session = try context.open()
        let book = try session.entity("Book")
        let keys = try ["1", "2"].map { try session.insert("Book", ["isbn": .text($0), "pages": .integer(0)]) }
        let sum = try ValueRequest(rows: book.request(), terms: [.aggregate(.sum, book["pages"])])
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
                    // Half of them trust the row, the other half the sum of both.
                    try session.commit { changes in
                        if number % 2 == 0 {
                            guard case .integer(let pages) = try book.value("pages", of: row) else { return }
                            try changes.updates.append(book.update(row, ["pages": .integer(pages + 1)]))
                            changes.conditions.append(.unchanged(row, mayBeGone: false))
                        } else {
                            try changes.updates.append(book.update(row, ["pages": .integer(total + 1)]))
                            changes.conditions.append(.values(sum, [[.integer(total)]]))
                            let other = try reader.rows(root: book.entity.root, keys: keys).filter { $0.key != key }
                            for row in other {
                                try changes.updates.append(book.update(row, ["pages": .integer(0)]))
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
        let found = try session.store.read { reader throws(StorageError) in try reader.values(sum) }
        try expectEqual(found, [[.integer(Int64(acknowledged.withLock { $0 }))]], "the sum of what was acknowledged")
    }

    private static func commit(_ town: Town, _ condition: ChangeSet.Condition) throws {
        try town.session.commit { changes in
            try changes.inserts.append(.init(row: town.tag.row(town.session.newKey("Tag"))))
            changes.conditions.append(condition)
        }
    }

    private static func change(_ town: Town, _ values: [String: [String: Value]]) throws {
        for (name, values) in values {
            let row = try town.session.row("Creature", town.key(name))
            let entity = try town.session.entity(town.session.layout.entities[row.entity].name)
            try town.session.commit { try $0.updates.append(entity.update(row, values)) }
        }
    }

    /// The condition must hold after some changes to rows, and not after others.
    private static func holds(
        _ town: Town, _ condition: ChangeSet.Condition, after harmless: [String: [String: Value]],
        butNotAfter harmful: [String: [String: Value]]
    ) throws {
        try commit(town, condition)
        try change(town, harmless)
        try commit(town, condition)
        try change(town, harmful)
        try expectThrows(.conflict, "a commit after \(harmful.keys.sorted()) changed") { try commit(town, condition) }
    }
}

extension StorageError {
    fileprivate var onlyConflict: WriteConflict {
        get throws {
            guard conflicts.count == 1 else {
                throw Mismatch("  expected: one conflict\n  found:    \(conflicts.count)")
            }
            return conflicts[0]
        }
    }
}
