import CofferStorage

/// The cases about unique constraints: the merges of inserts, and updates that violate a constraint.
extension ConformanceCase {
    /// The effects of unique constraints on inserts and updates.
    static let merging: [ConformanceCase] = [
        withTown(
            "merging/insert-meets-row",
            "An insert with the unique values of a stored row is written into the stored row."
        ) { town in
            let (key, dune, emma) = try (town.newKey("Book"), town.key("Dune"), Value.integer(town.key("Emma")))
            let values: [String: Value] = [
                "title": .text("Dune, again"), "isbn": .text("1"), "pages": .integer(1), "sequel": emma,
            ]
            let result = try town.commit { try $0.insert("Book", values, key: key) }
            try town.expectRow("Dune", values, version: 2)
            try town.expectRow("Dune", ["price": .null], "null in the new row")
            try expect(try !town.exists("Book", key), "no row with the new key")
            try town.expectCount(of: "Book", 3, "the number of books")
            try expectEqual(result.merges, [town.merge(key, into: dune)], "the merges")
            try town.expectReported("Book", dune, by: result)
        },
        withTown("merging/keeps-links", "A merged row keeps its links.") { town in
            try town.insert("Book", ["title": .text("D"), "isbn": .text("1")])
            try town.expectRelated("readers", ["Dune": ["Bob", "Ann"]])
        },
        withTown(
            "merging/references-follow", "References of the same commit to a merged key refer to the surviving row."
        ) { town in
            let (key, other) = (try town.newKey("Book"), try town.newKey("Book"))
            let (dune, emma) = (try town.key("Dune"), try town.key("Emma"))
            let result = try town.commit {
                try $0.insert("Book", ["title": .text("O"), "prequel": .integer(key)], key: other)
                let values: [String: Value] = [
                    "title": .text("D"), "isbn": .text("1"), "sequel": .integer(other), "prequel": .integer(emma),
                ]
                try $0.insert("Book", values, key: key)
                try $0.update("Emma", ["sequel": .integer(key)])
            }
            try town.expectRow("Book", other, ["prequel": .integer(dune)], "an inserted row's reference")
            try town.expectRow("Emma", ["sequel": .integer(dune)], "an updated row's reference")
            let told = Set(result.refreshed.map(\.key))
            try expect(
                told.isSuperset(of: [other, emma, dune]),
                "refreshed rows that include each row that differs from the change set, and found \(told)")
        },
        withTown(
            "merging/former-partner",
            "A one-to-one reference to the surviving row is cleared if the surviving row does not refer back."
        ) { town in
            let (dune, emma) = (Value.integer(try town.key("Dune")), Value.integer(try town.key("Emma")))
            let ulysses = Value.integer(try town.key("Ulysses"))
            try town.commit {
                try $0.update("Dune", ["sequel": emma])
                try $0.update("Emma", ["prequel": dune])
            }
            let result = try town.commit {
                let key = try $0.insert("Book", ["title": .text("D"), "isbn": .text("1"), "sequel": ulysses])
                try $0.update("Ulysses", ["prequel": .integer(key)])
            }
            try town.expectRow("Dune", ["sequel": ulysses], "the surviving row's new reference")
            try town.expectRow("Ulysses", ["prequel": dune], "the new related row's reference")
            try town.expectRow("Emma", ["prequel": .null], version: 3, "the former related row's reference")
            try town.expectReported("Book", town.key("Emma"), by: result)
        },
        withTown("merging/links-follow", "Links of the same commit to a merged key belong to the surviving row.") {
            town in
            let key = try town.newKey("Book")
            try town.commit { changes in
                try changes.insert("Book", ["title": .text("D"), "isbn": .text("1")], key: key)
                changes.links = try [("Cleo", -1), ("Ann", 9)].map { name, place in
                    try town.link("favorites", town.key(name), key, place: place, inversePlace: place)
                }
            }
            try town.expectRelated("readers", ["Dune": ["Bob", "Ann", "Cleo"]])
            try expectEqual(try town.related("readers", of: key), [], "the merged key's readers")
        },
        withTown("merging/compound", "A constraint of several attributes compares all of them.") { town in
            let (same, other) = (try town.newKey("Book"), try town.newKey("Book"))
            let result = try town.commit {
                let shelf = Value.text("A")
                try $0.insert("Book", ["title": .text("S"), "shelf": shelf, "place": .integer(2)], key: same)
                try $0.insert("Book", ["title": .text("O"), "shelf": shelf, "place": .integer(3)], key: other)
            }
            try expectEqual(result.merges, [town.merge(same, into: town.key("Emma"))], "the merges")
            try expect(try town.exists("Book", other), "the other row")
        },
        withTown("merging/null-takes-no-part", "A row with null in a unique constraint is not merged.") { town in
            let result = try town.commit {
                try $0.insert("Book", ["shelf": .text("A")])
                try $0.insert("Book", ["shelf": .text("A")])
                try $0.insert("Book", ["place": .integer(1)])
            }
            try expectEqual(result.merges, [], "the merges")
            try town.expectCount(of: "Book", 6, "the number of books")
        },
        withStore(
            "merging/text-is-bytes", "Unique strings are compared by their bytes: case and composition matter."
        ) { session in
            for isbn in ["a", "A", "é", "e\u{301}", "a ", ""] { try session.insert("Book", ["isbn": .text(isbn)]) }
            try session.expectCount(of: "Book", 6, "the number of books")
        },
        withTown(
            "merging/update-violates", "An update that violates a unique constraint throws 'uniqueViolation'."
        ) { town in
            for values in [["isbn": Value.text("2")], ["place": .integer(1)]] {
                try town.expectRefused(.uniqueViolation, "an update of Emma to \(values)") {
                    try $0.update("Emma", values)
                }
            }
            try town.expectRow("Emma", version: 1)
        },
        withTown(
            "merging/update-to-itself", "An update may repeat the row's own unique values."
        ) { town in
            try town.update("Dune", ["isbn": .text("1"), "pages": .integer(2)])
            try town.expectRow("Dune", ["pages": .integer(2)])
        },
        withTown("merging/delete-frees", "An insert may use the unique value of a row deleted in its commit.") { town in
            let key = try town.newKey("Book")
            let result = try town.commit {
                try $0.insert("Book", ["title": .text("New"), "isbn": .text("1")], key: key)
                try $0.delete("Dune")
            }
            try expectEqual(result.merges, [], "the merges")
            try expect(try town.exists("Book", key), "the inserted book")
            try expect(try !town.exists("Book", town.key("Dune")), "no Dune")
        },
        withTown("merging/update-frees", "A unique value that an update replaces is free for a later commit.") {
            town in
            try town.update("Dune", ["isbn": .text("9")])
            let key = try town.insert("Book", ["isbn": .text("1")])
            try expect(try town.exists("Book", key), "a row with the free value")
        },
        withTown(
            "merging/update-frees-insert",
            "An insert may use a unique value that an update of the same commit replaces."
        ) { town in
            let key = try town.newKey("Book")
            let result = try town.commit {
                try $0.insert("Book", ["isbn": .text("1")], key: key)
                try $0.update("Dune", ["isbn": .text("9")])
            }
            try expectEqual(result.merges, [], "the merges")
            try expect(try town.exists("Book", key), "the inserted book")
        },
        withTown("merging/swap", "Two updates in one commit may exchange unique values.") { town in
            try town.commit {
                try $0.update("Dune", ["isbn": .text("2")])
                try $0.update("Ulysses", ["isbn": .text("1")])
            }
            try town.expectRow("Dune", ["isbn": .text("2")])
            try town.expectRow("Ulysses", ["isbn": .text("1")])
        },
        withTown(
            "merging/inserts-meet",
            "If two inserts of one commit have the same unique values, the later is merged into the earlier."
        ) { town in
            let keys = Array(try town.reserve("Book", 2))
            let result = try town.commit {
                try $0.insert("Book", ["title": .text("first"), "isbn": .text("7")], key: keys[0])
                try $0.insert("Book", ["title": .text("second"), "isbn": .text("7")], key: keys[1])
            }
            try expectEqual(result.merges, [town.merge(keys[1], into: keys[0])], "the merges")
            try town.expectRow("Book", keys[0], ["title": .text("second")])
        },
    ]
}
