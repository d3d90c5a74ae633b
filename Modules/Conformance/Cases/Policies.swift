import CofferStorage

/// The cases about the policies of unique constraints for inserts: merge, throw or keep the stored row.
extension ConformanceCase {
    /// What the policies of unique constraints do to inserts.
    static let policies: [ConformanceCase] = [
        ConformanceCase(
            "policies/throw",
            "With 'throwError', an insert that meets a row throws 'uniqueViolation' and names the constraint."
        ) {
            let town = try $0.town()
            let keys = Array(try town.session.reserve("Book", 2))
            let error = try expectThrows(.uniqueViolation, "a second book with Dune's isbn") {
                try town.session.commit { changes in
                    changes.uniqueConstraintPolicies = town.policies(isbn: .throwError)
                    try changes.inserts.append(.init(row: town.book.row(keys[0], ["title": .text("A")])))
                    try changes.inserts.append(.init(row: town.book.row(keys[1], ["isbn": .text("1")])))
                }
            }
            try expectEqual(
                error.violatedConstraints, [.init(entity: "Book", attributes: ["isbn"])], "the constraint named")
            try expect(error.description.contains("Book.isbn"), "'Book.isbn' in the text, and found: \(error)")
            try expect(try !town.session.exists("Book", keys[0]), "no book of the refused commit")
            try expectEqual(try town.session.row("Book", town.key("Dune")).version, 1, "Dune's version")
        },
        ConformanceCase(
            "policies/throw-between-inserts",
            "With 'throwError', two inserts of one commit that meet throw 'uniqueViolation'."
        ) {
            let town = try $0.town()
            let keys = Array(try town.session.reserve("Book", 2))
            try expectThrows(.uniqueViolation, "two books of one isbn") {
                try town.session.commit { changes in
                    changes.uniqueConstraintPolicies = town.policies(isbn: .throwError)
                    for key in keys {
                        try changes.inserts.append(.init(row: town.book.row(key, ["isbn": .text("7")])))
                    }
                }
            }
            try expectEqual(try town.session.count(town.book.request()), 3, "the number of books")
        },
        ConformanceCase(
            "policies/throw-in-parallel",
            "With 'throwError', exactly one of several threads inserts a value, and the others get 'uniqueViolation'."
        ) {
            let session = try $0.open()
            let book = try session.entity("Book")
            let winners = Locked<[Int: Int]>([:])
            try Threads.run(4, within: 600, what: "four threads that insert books") { number in
                for round in 0..<10 {
                    let key = try session.newKey("Book")
                    do {
                        try session.commit { changes in
                            changes.uniqueConstraintPolicies = [book.entity.root: [.throwError, .throwError]]
                            try changes.inserts.append(
                                .init(row: book.row(key, ["title": .text("\(number)"), "isbn": .text("\(round)")])))
                        }
                        winners.withLock { $0[round, default: 0] += 1 }
                    } catch let error as StorageError where error.code == .uniqueViolation {}
                }
            }
            try expectEqual(
                winners.withLock { $0 }, Dictionary(uniqueKeysWithValues: (0..<10).map { ($0, 1) }),
                "how many threads inserted each value")
            let versions = try session.rows(book.request()).map(\.version)
            try expectEqual(versions, Array(repeating: 1, count: 10), "the versions of the books")
        },
        ConformanceCase(
            "policies/keep",
            "With 'keepStored', an insert that meets a row changes nothing in it, and links follow."
        ) {
            let town = try $0.town()
            let key = try town.session.newKey("Book")
            let dune = try town.session.row("Book", town.key("Dune"))
            let result = try town.session.commit { changes in
                changes.uniqueConstraintPolicies = town.policies(isbn: .keepStored)
                try changes.inserts.append(
                    .init(row: town.book.row(key, ["title": .text("D"), "isbn": .text("1"), "pages": .integer(1)])))
                try changes.links.append(
                    town.person.link("favorites", town.key("Cleo"), key, place: 0, inversePlace: 9))
            }
            let root = town.book.entity.root
            try expectEqual(
                result.merges, [.init(root: root, from: key, into: dune.key, isKept: true)], "the merges")
            let found = try town.session.row("Book", dune.key)
            let kinds = town.book.entity.kinds
            try expectEqual(found.values(kinds), dune.values(kinds), "Dune's values")
            try expectEqual(found.version, 1, "Dune's version")
            try expect(try !town.session.exists("Book", key), "no row with the new key")
            let told = result.refreshed.filter { $0.key == dune.key }
            try expectEqual(told.map { $0.values(kinds) }, [dune.values(kinds)], "the row told")
            try expectEqual(told.map(\.version), [1], "the version told")
            try expectEqual(
                try town.names(town.book, "readers", of: "Dune"), ["Bob", "Ann", "Cleo"], "Dune's readers")
        },
        ConformanceCase(
            "policies/keep-references",
            "With 'keepStored', references to the new row move to the stored row. One-to-one references are cleared."
        ) {
            let person = EntityDescription(
                name: "Person", attributes: [.init(name: "code", type: .stringAttributeType)],
                relationships: [
                    .init(name: "desk", destination: "Desk", inverse: "user", isToMany: false),
                    .init(name: "pets", destination: "Pet", inverse: "owner", isToMany: true),
                ],
                uniqueConstraints: [["code"]])
            let desk = EntityDescription(
                name: "Desk",
                relationships: [.init(name: "user", destination: "Person", inverse: "desk", isToMany: false)])
            let pet = EntityDescription(
                name: "Pet",
                relationships: [.init(name: "owner", destination: "Person", inverse: "pets", isToMany: false)])
            let session = try $0.open(StoreModel(version: "policies", entities: [person, desk, pet]))
            let (people, desks, pets) = (
                try session.entity("Person"), try session.entity("Desk"), try session.entity("Pet")
            )
            let stored = try session.insert("Person", ["code": .text("a")])
            let free = try session.insert("Desk", [:])
            let (new, other, owned) = (
                try session.newKey("Person"), try session.newKey("Desk"), try session.newKey("Pet")
            )
            let freeRow = try session.row("Desk", free)
            let result = try session.commit { changes in
                changes.uniqueConstraintPolicies = [people.entity.root: [.keepStored]]
                try changes.inserts.append(
                    .init(row: people.row(new, ["code": .text("a"), "desk": .integer(free)])))
                try changes.inserts.append(.init(row: desks.row(other, ["user": .integer(new)])))
                try changes.inserts.append(.init(row: pets.row(owned, ["owner": .integer(new)])))
                try changes.updates.append(desks.update(freeRow, ["user": .integer(new)]))
            }
            let kept = try session.row("Person", stored)
            try expectEqual(kept.version, 1, "the version of the row that is kept")
            try expectEqual(try people.value("desk", of: kept), .null, "the desk of the row that is kept")
            try expectEqual(
                try pets.value("owner", of: session.row("Pet", owned)), .integer(stored), "an inserted row's reference")
            for (key, version) in [(free, Int64(2)), (other, 1)] {
                let now = try session.row("Desk", key)
                try expectEqual(try desks.value("user", of: now), .null, "the user of a desk")
                try expectEqual(now.version, version, "the version of a desk")
                let told = result.refreshed.filter { $0.key == key && $0.entity == now.entity }
                try expectEqual(told.map(\.version), [version], "the version told of a desk")
                try expectEqual(try told.map { try desks.value("user", of: $0) }, [.null], "the user told of a desk")
            }
        },
        ConformanceCase(
            "policies/keep-between-inserts", "With 'keepStored', the earlier of two inserts that meet keeps its values."
        ) {
            let town = try $0.town()
            let keys = Array(try town.session.reserve("Book", 2))
            let result = try town.session.commit { changes in
                changes.uniqueConstraintPolicies = town.policies(isbn: .keepStored)
                for (key, title) in zip(keys, ["first", "second"]) {
                    try changes.inserts.append(
                        .init(row: town.book.row(key, ["title": .text(title), "isbn": .text("7")])))
                }
            }
            try expectEqual(
                result.merges, [.init(root: town.book.entity.root, from: keys[1], into: keys[0], isKept: true)],
                "the merges")
            let found = try town.session.row("Book", keys[0])
            try expectEqual(try town.book.value("title", of: found), .text("first"), "the title")
            try expectEqual(found.version, 1, "the version")
            try expectEqual(result.refreshed.map(\.key), [keys[0]], "the rows told")
        },
        ConformanceCase(
            "policies/per-constraint",
            "Each constraint has its own policy; 'throwError' wins over 'keepStored', and that over 'merge'."
        ) {
            let town = try $0.town()
            let book = town.book
            func insert(
                _ values: [String: Value], isbn: UniqueConstraintPolicy, place: UniqueConstraintPolicy
            ) throws -> CommitResult {
                let key = try town.session.newKey("Book")
                return try town.session.commit { changes in
                    changes.uniqueConstraintPolicies = town.policies(isbn: isbn, place: place)
                    try changes.inserts.append(.init(row: book.row(key, values)))
                }
            }
            let place: [String: Value] = ["title": .text("E"), "shelf": .text("A"), "place": .integer(2)]
            let merged = try insert(place, isbn: .throwError, place: .merge)
            try expectEqual(merged.merges.map(\.into), [try town.key("Emma")], "the row that was merged into")
            try expectEqual(merged.merges.map(\.isKept), [false], "whether it was kept")
            let both: [String: Value] = [
                "title": .text("D"), "isbn": .text("1"), "shelf": .text("A"), "place": .integer(1),
            ]
            let error = try expectThrows(.uniqueViolation, "a book at Dune's place with its isbn") {
                try insert(both, isbn: .keepStored, place: .throwError)
            }
            try expectEqual(
                error.violatedConstraints, [.init(entity: "Book", attributes: ["shelf", "place"])],
                "the constraint named")
            let kept = try insert(both, isbn: .merge, place: .keepStored)
            try expectEqual(kept.merges.map(\.isKept), [true], "whether the row was kept")
            let title = try book.value("title", of: town.session.row("Book", town.key("Dune")))
            try expectEqual(title, .text("Dune"), "the title of the row that was kept")
        },
        ConformanceCase("policies/freed", "With any policy, an insert takes values that the same commit frees.") {
            let town = try $0.town()
            let keys = Array(try town.session.reserve("Book", 2))
            let ulysses = try town.session.row("Book", town.key("Ulysses"))
            let result = try town.session.commit { changes in
                changes.uniqueConstraintPolicies = town.policies(isbn: .throwError, place: .keepStored)
                try changes.deletes.append(town.book.delete(town.key("Dune")))
                try changes.updates.append(town.book.update(ulysses, ["isbn": .text("9")]))
                for (key, isbn) in zip(keys, ["1", "2"]) {
                    try changes.inserts.append(.init(row: town.book.row(key, ["isbn": .text(isbn)])))
                }
            }
            try expectEqual(result.merges, [], "the merges")
            for key in keys { try expect(try town.session.exists("Book", key), "the inserted books") }
        },
        ConformanceCase(
            "policies/updates", "With any policy, an update that would break a constraint throws 'uniqueViolation'."
        ) {
            let town = try $0.town()
            let emma = try town.session.row("Book", town.key("Emma"))
            for policy in UniqueConstraintPolicy.allCases {
                try expectThrows(.uniqueViolation, "an update of Emma with '\(policy)'") {
                    try town.session.commit { changes in
                        changes.uniqueConstraintPolicies = town.policies(isbn: policy, place: policy)
                        try changes.updates.append(town.book.update(emma, ["isbn": .text("2")]))
                    }
                }
            }
        },
        ConformanceCase(
            "policies/sub-entity",
            "An insert that meets a row of an entity that lacks its columns throws 'uniqueViolation' with any policy."
        ) {
            let base = EntityDescription(
                name: "Base", attributes: [.init(name: "code", type: .stringAttributeType)],
                uniqueConstraints: [["code"]])
            let more = EntityDescription(
                name: "More", parent: "Base", attributes: [.init(name: "level", type: .integer64AttributeType)])
            let session = try $0.open(StoreModel(version: "policies", entities: [base, more]))
            let first = try session.insert("Base", ["code": .text("a")])
            let entity = try session.entity("More")
            for policy in UniqueConstraintPolicy.allCases {
                let key = try session.newKey("More")
                try expectThrows(.uniqueViolation, "an insert of a sub-entity with '\(policy)'") {
                    try session.commit { changes in
                        changes.uniqueConstraintPolicies = [entity.entity.root: [policy]]
                        try changes.inserts.append(
                            .init(row: entity.row(key, ["code": .text("a"), "level": .integer(7)])))
                    }
                }
            }
            try expectEqual(try session.row("Base", first).version, 1, "the version of the row that was there")
        },
    ]
}

extension Town {
    /// The policies of the books' constraints.
    fileprivate func policies(
        isbn: UniqueConstraintPolicy, place: UniqueConstraintPolicy = .merge
    ) -> [Int: [UniqueConstraintPolicy]] {
        [book.entity.root: [isbn, place]]
    }
}
