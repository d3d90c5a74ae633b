import CofferStorage

/// The cases about the policies of unique constraints for inserts: merge, throw or keep the stored row.
extension ConformanceCase {
    /// The effects of the policies of unique constraints on inserts.
    static let policies: [ConformanceCase] = [
        withTown(
            "policies/throw",
            "With 'throwError', an insert with stored unique values throws 'uniqueViolation' and names the constraint."
        ) { town in
            let key = try town.newKey("Book")
            let error = try town.expectRefused(.uniqueViolation, "a second book with Dune's isbn") {
                $0.uniqueConstraintPolicies = try town.bookPolicies(isbn: .throwError)
                try $0.insert("Book", ["title": .text("A")], key: key)
                try $0.insert("Book", ["isbn": .text("1")])
            }
            try expectEqual(
                error.violatedConstraints, [.init(entity: "Book", attributes: ["isbn"])], "the constraint named")
            try expect(error.description.contains("Book.isbn"), "'Book.isbn' in the text, and found: \(error)")
            try expect(try !town.exists("Book", key), "no book of the refused commit")
            try town.expectRow("Dune", version: 1)
        },
        withTown(
            "policies/throw-between-inserts",
            "With 'throwError', two inserts of one commit with the same unique values throw 'uniqueViolation'."
        ) { town in
            try town.expectRefused(.uniqueViolation, "two books with the same isbn") {
                $0.uniqueConstraintPolicies = try town.bookPolicies(isbn: .throwError)
                for _ in 0..<2 { try $0.insert("Book", ["isbn": .text("7")]) }
            }
            try town.expectCount(of: "Book", 3, "the number of books")
        },
        withStore(
            "policies/throw-in-parallel",
            "With 'throwError', exactly one of several threads inserts a value, and the others throw 'uniqueViolation'."
        ) { session in
            let winners = Locked<[Int]>([])
            try Threads.run(4, within: 600, what: "four threads that insert books") { number in
                for round in 0..<10 {
                    do {
                        try session.commit {
                            $0.uniqueConstraintPolicies = try session.bookPolicies(
                                isbn: .throwError, place: .throwError)
                            try $0.insert("Book", ["title": .text("\(number)"), "isbn": .text("\(round)")])
                        }
                        winners.withLock { $0.append(round) }
                    } catch let error as StorageError where error.code == .uniqueViolation {}
                }
            }
            let rounds = winners.withLock { $0.sorted() }
            try expectEqual(rounds, Array(0..<10), "the values, once for each thread that inserted them")
            let versions = try session.rows(session.book.request()).map(\.version)
            try expectEqual(versions, Array(repeating: 1, count: 10), "the versions of the books")
        },
        withTown(
            "policies/keep",
            "With 'keepStored', an insert does not change the stored row, and its links move to this row."
        ) { town in
            let key = try town.newKey("Book")
            let dune = try town.row("Dune")
            let result = try town.commit {
                $0.uniqueConstraintPolicies = try town.bookPolicies(isbn: .keepStored)
                try $0.insert("Book", ["title": .text("D"), "isbn": .text("1"), "pages": .integer(1)], key: key)
                try $0.links = [town.link("favorites", town.key("Cleo"), key, place: 0, inversePlace: 9)]
            }
            try expectEqual(result.merges, [town.merge(key, into: dune.key, isKept: true)], "the merges")
            try town.expectRows([town.row("Dune")], [dune], "Dune")
            try expect(try !town.exists("Book", key), "no row with the new key")
            try town.expectReported("Book", dune.key, by: result)
            try town.expectRelated("readers", ["Dune": ["Bob", "Ann", "Cleo"]])
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
            let stored = try session.insert("Person", ["code": .text("a")])
            let free = try session.insert("Desk")
            let (other, owned) = (try session.newKey("Desk"), try session.newKey("Pet"))
            let row = try session.row("Desk", free)
            let result = try session.commit {
                $0.uniqueConstraintPolicies = [try session.person.entity.root: [.keepStored]]
                let new = Value.integer(try $0.insert("Person", ["code": .text("a"), "desk": .integer(free)]))
                try $0.insert("Desk", ["user": new], key: other)
                try $0.insert("Pet", ["owner": new], key: owned)
                try $0.update(row, ["user": new])
            }
            try session.expectRow("Person", stored, ["desk": .null], version: 1, "the row that is kept")
            try session.expectRow("Pet", owned, ["owner": .integer(stored)], "an inserted row's reference")
            for (key, version) in [(free, Int64(2)), (other, 1)] {
                try session.expectRow("Desk", key, ["user": .null], version: version)
                try session.expectReported("Desk", key, by: result)
            }
        },
        withTown(
            "policies/keep-between-inserts",
            "With 'keepStored', the earlier of two inserts with the same unique values keeps its values."
        ) { town in
            let keys = Array(try town.reserve("Book", 2))
            let result = try town.commit {
                $0.uniqueConstraintPolicies = try town.bookPolicies(isbn: .keepStored)
                try $0.insert("Book", ["title": .text("first"), "isbn": .text("7")], key: keys[0])
                try $0.insert("Book", ["title": .text("second"), "isbn": .text("7")], key: keys[1])
            }
            try expectEqual(result.merges, [town.merge(keys[1], into: keys[0], isKept: true)], "the merges")
            try town.expectRow("Book", keys[0], ["title": .text("first")], version: 1)
            try expectEqual(result.refreshed.map(\.key), [keys[0]], "the reported rows")
        },
        withTown(
            "policies/per-constraint",
            "Each constraint has its own policy; 'throwError' precedes 'keepStored', and 'keepStored' precedes 'merge'."
        ) { town in
            let place: [String: Value] = ["title": .text("E"), "shelf": .text("A"), "place": .integer(2)]
            var key = try town.newKey("Book")
            let merged = try town.commit {
                $0.uniqueConstraintPolicies = try town.bookPolicies(isbn: .throwError, place: .merge)
                try $0.insert("Book", place, key: key)
            }
            try expectEqual(merged.merges, [town.merge(key, into: town.key("Emma"))], "the merge")
            let both: [String: Value] = [
                "title": .text("D"), "isbn": .text("1"), "shelf": .text("A"), "place": .integer(1),
            ]
            let error = try town.expectRefused(.uniqueViolation, "a book at Dune's place with its isbn") {
                $0.uniqueConstraintPolicies = try town.bookPolicies(isbn: .keepStored, place: .throwError)
                try $0.insert("Book", both)
            }
            try expectEqual(
                error.violatedConstraints, [.init(entity: "Book", attributes: ["shelf", "place"])],
                "the constraint named")
            key = try town.newKey("Book")
            let kept = try town.commit {
                $0.uniqueConstraintPolicies = try town.bookPolicies(isbn: .merge, place: .keepStored)
                try $0.insert("Book", both, key: key)
            }
            try expectEqual(
                kept.merges, [town.merge(key, into: town.key("Dune"), isKept: true)], "the row that was kept")
            try town.expectRow("Dune", ["title": .text("Dune")])
        },
        withTown("policies/freed", "With any policy, an insert may use values that its commit frees.") { town in
            let keys = Array(try town.reserve("Book", 2))
            let result = try town.commit {
                $0.uniqueConstraintPolicies = try town.bookPolicies(isbn: .throwError, place: .keepStored)
                try $0.delete("Dune")
                try $0.update("Ulysses", ["isbn": .text("9")])
                try $0.insert("Book", ["isbn": .text("1")], key: keys[0])
                try $0.insert("Book", ["isbn": .text("2")], key: keys[1])
            }
            try expectEqual(result.merges, [], "the merges")
            for key in keys { try expect(try town.exists("Book", key), "the inserted books") }
        },
        withTown(
            "policies/updates", "With any policy, an update that violates a constraint throws 'uniqueViolation'."
        ) { town in
            for policy in UniqueConstraintPolicy.allCases {
                try town.expectRefused(.uniqueViolation, "an update of Emma with '\(policy)'") {
                    $0.uniqueConstraintPolicies = try town.bookPolicies(isbn: policy, place: policy)
                    try $0.update("Emma", ["isbn": .text("2")])
                }
            }
        },
        ConformanceCase(
            "policies/sub-entity",
            "With any policy, an insert throws 'uniqueViolation' if the stored row's entity lacks its columns."
        ) {
            let base = EntityDescription(
                name: "Base", attributes: [.init(name: "code", type: .stringAttributeType)],
                uniqueConstraints: [["code"]])
            let more = EntityDescription(
                name: "More", parent: "Base", attributes: [.init(name: "level", type: .integer64AttributeType)])
            let session = try $0.open(StoreModel(version: "policies", entities: [base, more]))
            let first = try session.insert("Base", ["code": .text("a")])
            for policy in UniqueConstraintPolicy.allCases {
                try session.expectRefused(.uniqueViolation, "an insert of a sub-entity with '\(policy)'") {
                    $0.uniqueConstraintPolicies = [try session.entity("More").entity.root: [policy]]
                    try $0.insert("More", ["code": .text("a"), "level": .integer(7)])
                }
            }
            try session.expectRow("Base", first, version: 1)
        },
    ]
}
