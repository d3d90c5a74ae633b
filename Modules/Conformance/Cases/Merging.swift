import CofferStorage

/// The cases about unique constraints: the merges of inserts, and updates that violate a constraint.
extension ConformanceCase {
    /// What unique constraints do to inserts and updates.
    static let merging: [ConformanceCase] = [
        ConformanceCase(
            "merging/insert-meets-row", "An insert that meets a row in a unique constraint is written into that row."
        ) {
            let town = try $0.town()
            let key = try town.session.newKey("Book")
            let dune = try town.key("Dune")
            let values: [String: Value] = [
                "title": .text("Dune, again"), "isbn": .text("1"), "pages": .integer(1),
                "sequel": .integer(try town.key("Emma")),
            ]
            let result = try town.session.commit { try $0.inserts.append(.init(row: town.book.row(key, values))) }
            let found = try town.session.row("Book", dune)
            try expectEqual(try town.book.value("title", of: found), .text("Dune, again"), "the title")
            try expectEqual(try town.book.value("pages", of: found), .integer(1), "the pages")
            try expectEqual(try town.book.value("price", of: found), .null, "the price, null in the new row")
            try expectEqual(try town.book.value("sequel", of: found), .integer(try town.key("Emma")), "the sequel")
            try expectEqual(found.version, 2, "the version")
            try expect(try !town.session.exists("Book", key), "no row with the new key")
            try expectEqual(try town.session.count(town.book.request()), 3, "the number of books")
            try expectEqual(result.merges, [.init(root: town.book.entity.root, from: key, into: dune)], "the merges")
            let told = result.refreshed.filter { $0.key == dune }
            try expectEqual(
                told.map { $0.values(town.book.entity.kinds) }, [found.values(town.book.entity.kinds)], "the row told")
            try expectEqual(told.map(\.version), [2], "the version told")
        },
        ConformanceCase("merging/keeps-links", "A merged row keeps the links it had.") {
            let town = try $0.town()
            let key = try town.session.newKey("Book")
            try town.session.commit { changes in
                try changes.inserts.append(.init(row: town.book.row(key, ["title": .text("D"), "isbn": .text("1")])))
            }
            try expectEqual(try town.names(town.book, "readers", of: "Dune"), ["Bob", "Ann"], "Dune's readers")
        },
        ConformanceCase(
            "merging/references-follow", "References of the same commit to a merged key lead to the surviving row."
        ) {
            let town = try $0.town()
            let key = try town.session.newKey("Book")
            let other = try town.session.newKey("Book")
            let emma = try town.session.row("Book", town.key("Emma"))
            let result = try town.session.commit { changes in
                try changes.inserts.append(
                    .init(row: town.book.row(other, ["title": .text("O"), "prequel": .integer(key)])))
                try changes.inserts.append(
                    .init(
                        row: town.book.row(
                            key,
                            [
                                "title": .text("D"), "isbn": .text("1"), "sequel": .integer(other),
                                "prequel": .integer(emma.key),
                            ])))
                try changes.updates.append(town.book.update(emma, ["sequel": .integer(key)]))
            }
            let dune = try Value.integer(town.key("Dune"))
            try expectEqual(
                try town.book.value("prequel", of: town.session.row("Book", other)), dune, "an inserted row's reference"
            )
            try expectEqual(
                try town.book.value("sequel", of: town.session.row("Book", emma.key)), dune,
                "an updated row's reference")
            let told = Set(result.refreshed.map(\.key))
            try expect(
                told.isSuperset(of: [other, emma.key, try town.key("Dune")]),
                "the refreshed rows to include those that differ from the change set, and found \(told)")
        },
        ConformanceCase(
            "merging/former-partner",
            "A row that refers to the surviving row by a one-to-one relationship, and to which that row does not refer, "
                + "forgets it."
        ) {
            let town = try $0.town()
            let key = try town.session.newKey("Book")
            let (dune, emma) = (try town.session.row("Book", town.key("Dune")), try town.key("Emma"))
            let ulysses = try town.session.row("Book", town.key("Ulysses"))
            try town.session.commit { changes in
                try changes.updates.append(town.book.update(dune, ["sequel": .integer(emma)]))
                try changes.updates.append(
                    town.book.update(town.session.row("Book", emma), ["prequel": .integer(dune.key)]))
            }
            let result = try town.session.commit { changes in
                let values: [String: Value] = [
                    "title": .text("D"), "isbn": .text("1"), "sequel": .integer(ulysses.key),
                ]
                try changes.inserts.append(.init(row: town.book.row(key, values)))
                try changes.updates.append(town.book.update(ulysses, ["prequel": .integer(key)]))
            }
            func value(_ name: String, of key: Int64) throws -> Value {
                try town.book.value(name, of: town.session.row("Book", key))
            }
            try expectEqual(try value("sequel", of: dune.key), .integer(ulysses.key), "the survivor's new partner")
            try expectEqual(try value("prequel", of: ulysses.key), .integer(dune.key), "the new partner's partner")
            try expectEqual(try value("prequel", of: emma), .null, "the former partner's partner")
            try expectEqual(try town.session.row("Book", emma).version, 3, "the former partner's version")
            let told = result.refreshed.filter { $0.key == emma }
            try expectEqual(told.map(\.version), [3], "the version told of the former partner")
            try expectEqual(try told.map { try town.book.value("prequel", of: $0) }, [.null], "the partner told")
        },
        ConformanceCase("merging/links-follow", "Links of the same commit to a merged key lead to the surviving row.") {
            let town = try $0.town()
            let key = try town.session.newKey("Book")
            try town.session.commit { changes in
                try changes.inserts.append(.init(row: town.book.row(key, ["title": .text("D"), "isbn": .text("1")])))
                for (name, place) in [("Cleo", Int64(-1)), ("Ann", 9)] {
                    try changes.links.append(
                        town.person.link("favorites", town.key(name), key, place: place, inversePlace: place))
                }
            }
            try expectEqual(try town.names(town.book, "readers", of: "Dune"), ["Bob", "Ann", "Cleo"], "Dune's readers")
            try expectEqual(
                try town.session.related(town.book.relationship("readers"), of: key), [], "the merged key's readers")
        },
        ConformanceCase("merging/compound", "A constraint of several attributes is met when all of them are equal.") {
            let town = try $0.town()
            let same = try town.session.newKey("Book")
            let other = try town.session.newKey("Book")
            let result = try town.session.commit { changes in
                try changes.inserts.append(
                    .init(row: town.book.row(same, ["title": .text("S"), "shelf": .text("A"), "place": .integer(2)])))
                try changes.inserts.append(
                    .init(row: town.book.row(other, ["title": .text("O"), "shelf": .text("A"), "place": .integer(3)])))
            }
            try expectEqual(result.merges.map(\.from), [same], "the merged keys")
            try expectEqual(result.merges.map(\.into), [try town.key("Emma")], "the surviving keys")
            try expect(try town.session.exists("Book", other), "the other row")
        },
        ConformanceCase("merging/null-takes-no-part", "Rows with a null in a unique constraint meet nobody.") {
            let town = try $0.town()
            let result = try town.session.commit { changes in
                for _ in 0..<2 {
                    let key = try town.session.newKey("Book")
                    try changes.inserts.append(.init(row: town.book.row(key, ["shelf": .text("A")])))
                }
                let key = try town.session.newKey("Book")
                try changes.inserts.append(.init(row: town.book.row(key, ["place": .integer(1)])))
            }
            try expectEqual(result.merges, [], "the merges")
            try expectEqual(try town.session.count(town.book.request()), 6, "the number of books")
        },
        ConformanceCase("merging/text-is-bytes", "Unique text is compared by its bytes: case and composition matter.") {
            let session = try $0.open()
            for isbn in ["a", "A", "é", "e\u{301}", "a ", ""] { try session.insert("Book", ["isbn": .text(isbn)]) }
            try expectEqual(try session.count(session.entity("Book").request()), 6, "the number of books")
        },
        ConformanceCase(
            "merging/update-violates", "An update that would break a unique constraint throws 'uniqueViolation'."
        ) {
            let town = try $0.town()
            let emma = try town.session.row("Book", town.key("Emma"))
            for values in [["isbn": Value.text("2")], ["place": .integer(1)]] {
                try expectThrows(.uniqueViolation, "an update of Emma to \(values)") {
                    try town.session.commit { try $0.updates.append(town.book.update(emma, values)) }
                }
            }
            try expectEqual(try town.session.row("Book", emma.key).version, 1, "Emma's version")
        },
        ConformanceCase("merging/update-to-itself", "An update that repeats a row's own unique values is no violation.")
        {
            let town = try $0.town()
            let dune = try town.session.row("Book", town.key("Dune"))
            try town.session.commit {
                try $0.updates.append(town.book.update(dune, ["isbn": .text("1"), "pages": .integer(2)]))
            }
            try expectEqual(
                try town.book.value("pages", of: town.session.row("Book", dune.key)), .integer(2), "the pages")
        },
        ConformanceCase("merging/delete-frees", "A value whose row the same commit deletes is free for an insert.") {
            let town = try $0.town()
            let key = try town.session.newKey("Book")
            let result = try town.session.commit { changes in
                try changes.inserts.append(.init(row: town.book.row(key, ["title": .text("New"), "isbn": .text("1")])))
                try changes.deletes.append(town.book.delete(town.key("Dune")))
            }
            try expectEqual(result.merges, [], "the merges")
            try expect(try town.session.exists("Book", key), "the inserted book")
            try expect(try !town.session.exists("Book", town.key("Dune")), "no Dune")
        },
        ConformanceCase("merging/update-frees", "A value that the same commit updates away is free again afterwards.") {
            let town = try $0.town()
            let dune = try town.session.row("Book", town.key("Dune"))
            try town.session.commit { try $0.updates.append(town.book.update(dune, ["isbn": .text("9")])) }
            let key = try town.session.insert("Book", ["isbn": .text("1")])
            try expect(try town.session.exists("Book", key), "a row with the value that was free")
        },
        ConformanceCase(
            "merging/update-frees-insert", "A value that the same commit updates away is free for an insert."
        ) {
            let town = try $0.town()
            let dune = try town.session.row("Book", town.key("Dune"))
            let key = try town.session.newKey("Book")
            let result = try town.session.commit { changes in
                try changes.inserts.append(.init(row: town.book.row(key, ["isbn": .text("1")])))
                try changes.updates.append(town.book.update(dune, ["isbn": .text("9")]))
            }
            try expectEqual(result.merges, [], "the merges")
            try expect(try town.session.exists("Book", key), "the inserted book")
        },
        ConformanceCase("merging/swap", "Two updates of one commit may exchange unique values.") {
            let town = try $0.town()
            let dune = try town.session.row("Book", town.key("Dune"))
            let ulysses = try town.session.row("Book", town.key("Ulysses"))
            try town.session.commit { changes in
                try changes.updates.append(town.book.update(dune, ["isbn": .text("2")]))
                try changes.updates.append(town.book.update(ulysses, ["isbn": .text("1")]))
            }
            try expectEqual(
                try town.book.value("isbn", of: town.session.row("Book", dune.key)), .text("2"), "Dune's isbn")
            try expectEqual(
                try town.book.value("isbn", of: town.session.row("Book", ulysses.key)), .text("1"), "Ulysses' isbn")
        },
        ConformanceCase(
            "merging/inserts-meet", "Of two inserts of one commit that meet, the later is merged into the earlier."
        ) {
            let town = try $0.town()
            let keys = Array(try town.session.reserve("Book", 2))
            let result = try town.session.commit { changes in
                for (key, title) in zip(keys, ["first", "second"]) {
                    try changes.inserts.append(
                        .init(row: town.book.row(key, ["title": .text(title), "isbn": .text("7")])))
                }
            }
            try expectEqual(result.merges.map(\.from), [keys[1]], "the merged keys")
            try expectEqual(result.merges.map(\.into), [keys[0]], "the surviving keys")
            let found = try town.session.row("Book", keys[0])
            try expectEqual(try town.book.value("title", of: found), .text("second"), "the title")
        },
    ]
}
