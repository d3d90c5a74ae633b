import CofferStorage

extension PlanShape {
    /// All shapes.
    public static func all(_ model: PlanModel) -> [PlanShape] {
        paths(model) + collections(model) + ranges(model) + orders(model) + combinations(model) + values(model)
    }

    private static func paths(_ model: PlanModel) -> [PlanShape] {
        func track(_ names: String) -> RowExpression { model.path("Track", names) }
        func tracks(_ predicate: RowPredicate, limit: Int? = nil) -> Request {
            .rows(model.request("Track", predicate, limit: limit))
        }
        let one = #"SELECT t.coffer_key FROM "Track" t JOIN "Album" a ON a.coffer_key = t.album "#
        let two = one + #"JOIN "Artist" b ON b.coffer_key = a.artist "#
        let three = two + #"JOIN "Country" c ON c.coffer_key = b.country "#
        return [
            .init("one hop", tracks(track("album.title") == "album 77"), one + "WHERE a.title = 'album 77' ORDER BY 1"),
            .init(
                "two hops", tracks(track("album.artist.name") == "artist 77"),
                two + "WHERE b.name = 'artist 77' ORDER BY 1"),
            .init(
                "three hops", tracks(track("album.artist.country.name") == "country 7"),
                three + "WHERE c.name = 'country 7' ORDER BY 1"),
            .init(
                "a path, and related objects compared with the row",
                tracks(
                    .and([
                        track("album.title") == "album 77",
                        model.some(
                            "Artist", "albums",
                            from: [model.relationship("Track", "album"), model.relationship("Album", "artist")],
                            .compare(.key, .less, .outer(.key))),
                    ])),
                one + "WHERE a.title = 'album 77' AND EXISTS (SELECT 1 FROM \"Album\" c WHERE c.artist = a.artist "
                    + "AND c.coffer_key < t.coffer_key) ORDER BY 1"),
            .init(
                "one hop, first row", tracks(track("album.title") == "album 77", limit: 1),
                one + "WHERE a.title = 'album 77' ORDER BY 1 LIMIT 1"),
            .init(
                "one hop, a list", tracks(.isIn(track("album.title"), [.text("album 5"), .text("album 6")])),
                one + "WHERE a.title IN ('album 5', 'album 6') ORDER BY 1"),
            .init(
                "two hops, a list",
                tracks(.isIn(track("album.artist.name"), [.text("artist 5"), .text("artist 6")])),
                two + "WHERE b.name IN ('artist 5', 'artist 6') ORDER BY 1"),
            .init(
                "one hop, a prefix", tracks(track("album.title").hasPrefix("album 199", before: "album 19:")),
                one + "WHERE a.title >= 'album 199' AND a.title < 'album 19:' ORDER BY 1"),
            .init(
                "one hop, a short range", tracks(track("album.title") > "album 9998"),
                one + "WHERE a.title > 'album 9998' ORDER BY 1"),
            .init(
                "one hop, no row", tracks(track("album.year") > 2030), one + "WHERE a.year > 2030 ORDER BY 1"),
            .init(
                "one hop, a long range, first row", tracks(track("album.year") > 1960, limit: 1),
                one + "WHERE a.year > 1960 ORDER BY 1 LIMIT 1"),
            .init(
                "a path and an own index", tracks(.and([track("num") == 5, track("album.year") > 1900])),
                one + "WHERE t.num = 5 AND a.year > 1900 ORDER BY 1"),
            .init(
                "two conditions on one path",
                tracks(.and([track("album.artist.name") == "artist 77", track("album.year") > 1980])),
                two + "WHERE b.name = 'artist 77' AND a.year > 1980 ORDER BY 1"),
            .init(
                "a path or an own index", tracks(.or([track("album.title") == "album 77", track("num") == 9])),
                #"SELECT coffer_key FROM "Track" WHERE num = 9 UNION "# + one + "WHERE a.title = 'album 77' ORDER BY 1"),
            .init(
                "the key of a path", tracks(track("album.artist.key") == 9), one + "WHERE a.artist = 9 ORDER BY 1"),
            .init(
                "not a path, and an own index",
                tracks(.and([.not(track("album.artist.name") == "artist 77"), track("genre") == "genre 7"])),
                #"SELECT t.coffer_key FROM "Track" t LEFT JOIN "Album" a ON a.coffer_key = t.album LEFT JOIN "Artist" b "#
                    + "ON b.coffer_key = a.artist WHERE t.genre = 'genre 7' AND COALESCE(b.name, '') <> 'artist 77' "
                    + "ORDER BY 1"),
        ]
    }

    private static func collections(_ model: PlanModel) -> [PlanShape] {
        func track(_ names: String) -> RowExpression { model.path("Track", names) }
        func rows(_ entity: String, _ predicate: RowPredicate, limit: Int? = nil) -> Request {
            .rows(model.request(entity, predicate, limit: limit))
        }
        let albums = #"SELECT DISTINCT t.album FROM "Track" t WHERE t.album IS NOT NULL AND "#
        let links = #"SELECT l."second" FROM "Tag" g JOIN "coffer_link_Tag_tracks" l ON l."first" = g.coffer_key "#
        func someTrack(_ predicate: RowPredicate) -> RowPredicate { model.some("Album", "tracks", predicate) }
        let count = RowExpression.count(relationship: model.relationship("Album", "tracks"))
        func counted(_ predicate: RowPredicate) -> RowExpression {
            .aggregate(.count, .key, from: [], relationship: model.relationship("Album", "tracks"), where: predicate)
        }
        let inAlbum = #"(SELECT COUNT(*) FROM "Track" t WHERE t.album = a.coffer_key)"#
        return [
            .init("any", rows("Album", someTrack(track("num") == 12_345)), albums + "t.num = 12345 ORDER BY 1"),
            .init(
                "any, two hops", rows("Artist", model.some("Artist", "albums", someTrack(track("num") == 12_345))),
                #"SELECT DISTINCT a.artist FROM "Track" t JOIN "Album" a ON a.coffer_key = t.album "#
                    + "WHERE t.num = 12345 AND a.artist IS NOT NULL ORDER BY 1"),
            .init(
                "any, many-to-many", rows("Track", model.some("Track", "tags", model.path("Tag", "label") == "tag 32")),
                links + "WHERE g.label = 'tag 32' ORDER BY 1"),
            .init(
                "any, many-to-many, other side", rows("Tag", model.some("Tag", "tracks", track("num") == 69_618)),
                #"SELECT l."first" FROM "Track" t JOIN "coffer_link_Tag_tracks" l ON l."second" = t.coffer_key "#
                    + "WHERE t.num = 69618 ORDER BY 1"),
            .init(
                "any, two conditions", rows("Album", someTrack(.and([track("num") == 12_345, track("rating") > 1]))),
                albums + "t.num = 12345 AND t.rating > 1 ORDER BY 1"),
            .init(
                "any, a short range", rows("Album", someTrack(track("num") > 199_990)),
                albums + "t.num > 199990 ORDER BY 1"),
            .init(
                "any, a long range, first row", rows("Album", someTrack(track("num") > 1_000), limit: 1),
                #"SELECT a.coffer_key FROM "Album" a WHERE EXISTS (SELECT 1 FROM "Track" t WHERE "#
                    + "t.album = a.coffer_key AND t.num > 1000) ORDER BY 1 LIMIT 1"),
            .init(
                "any, and an own index",
                rows("Album", .and([model.path("Album", "title") == "album 7", someTrack(track("num") > 1_000)])),
                #"SELECT a.coffer_key FROM "Album" a WHERE a.title = 'album 7' AND EXISTS (SELECT 1 FROM "Track" t "#
                    + "WHERE t.album = a.coffer_key AND t.num > 1000) ORDER BY 1"),
            .init(
                "any after a path",
                rows(
                    "Track",
                    model.some(
                        "Album", "tracks", from: [model.relationship("Track", "album")], track("num") == 12_345)),
                #"SELECT s.coffer_key FROM "Track" t JOIN "Track" s ON s.album = t.album WHERE t.num = 12345 ORDER BY 1"#
            ),
            .init(
                "any of a path",
                rows("Tag", model.some("Tag", "tracks", track("album.title") == "album 77")),
                #"SELECT DISTINCT l."first" FROM "Album" a JOIN "Track" t ON t.album = a.coffer_key "#
                    + #"JOIN "coffer_link_Tag_tracks" l ON l."second" = t.coffer_key WHERE a.title = 'album 77' ORDER BY 1"#
            ),
            .init(
                "any or an own index",
                rows("Album", .or([someTrack(track("num") == 12_345), model.path("Album", "title") == "album 7"])),
                #"SELECT coffer_key FROM "Album" WHERE title = 'album 7' UNION SELECT t.album FROM "Track" t "#
                    + "WHERE t.num = 12345 AND t.album IS NOT NULL ORDER BY 1"),
            .init(
                "none, and an own index",
                rows("Album", .and([model.path("Album", "year") == 1999, .not(someTrack(track("num") == 12_345))])),
                #"SELECT a.coffer_key FROM "Album" a WHERE a.year = 1999 AND NOT EXISTS (SELECT 1 FROM "Track" t "#
                    + "WHERE t.album = a.coffer_key AND t.num = 12345) ORDER BY 1"),
            .init(
                "all, and an own index",
                rows(
                    "Album",
                    .and([model.path("Album", "title") == "album 7", .not(someTrack(.not(track("num") > 1_000)))])),
                #"SELECT a.coffer_key FROM "Album" a WHERE a.title = 'album 7' AND NOT EXISTS (SELECT 1 FROM "Track" t "#
                    + "WHERE t.album = a.coffer_key AND NOT t.num > 1000) ORDER BY 1"),
            .init(
                "a count, and an own index",
                rows("Album", .and([model.path("Album", "title") == "album 7", count > 3])),
                #"SELECT a.coffer_key FROM "Album" a WHERE a.title = 'album 7' AND "# + inAlbum + " > 3 ORDER BY 1"),
            .init(
                "no related objects", rows("Album", count == 0), mayScan: true,
                #"SELECT a.coffer_key FROM "Album" a WHERE NOT EXISTS (SELECT 1 FROM "Track" t "#
                    + "WHERE t.album = a.coffer_key) ORDER BY 1"),
            .init(
                "a subquery that finds one", rows("Album", counted(track("num") == 12_345) > 0),
                albums + "t.num = 12345 ORDER BY 1"),
        ]
    }

    private static func ranges(_ model: PlanModel) -> [PlanShape] {
        func track(_ names: String) -> RowExpression { model.path("Track", names) }
        func tracks(_ predicate: RowPredicate, limit: Int? = nil) -> Request {
            .rows(model.request("Track", predicate, limit: limit))
        }
        func hand(_ condition: String) -> String { #"SELECT t.coffer_key FROM "Track" t WHERE "# + condition }
        let numbers = (0..<10_000).map { Value.integer(Int64($0) * 20) }
        return [
            .init("equality", tracks(track("num") == 5), hand("t.num = 5 ORDER BY 1")),
            .init(
                "equality, first row", tracks(track("genre") == "genre 7", limit: 1),
                hand("t.genre = 'genre 7' ORDER BY 1 LIMIT 1")),
            .init("a range of three rows", tracks(track("age") > 199_999), hand("t.age > 199999")),
            .init("a range of no rows", tracks(track("age") > 300_000), hand("t.age > 300000")),
            .init(
                "a range, first row", tracks(track("age") > 199_990, limit: 1),
                hand("t.age > 199990 ORDER BY +t.coffer_key LIMIT 1")),
            .init(
                "a long range, first row", tracks(track("age") > 1_000, limit: 1),
                hand("t.age > 1000 ORDER BY 1 LIMIT 1")),
            .init(
                "a range with two ends", tracks(.and([track("age") > 500, track("age") < 520])),
                hand("t.age > 500 AND t.age < 520 ORDER BY 1")),
            .init(
                "a prefix", tracks(track("name").hasPrefix("track 1999", before: "track 199:")),
                hand("t.name >= 'track 1999' AND t.name < 'track 199:' ORDER BY 1")),
            .init(
                "a list", tracks(.isIn(track("num"), (1...20).map { .integer($0) })),
                hand("t.num IN (\((1...20).map(String.init).joined(separator: ", "))) ORDER BY 1")),
            .init(
                "a list of 10,000", tracks(.isIn(track("num"), numbers)),
                hand("t.num IN (\(numbers.indices.map { String($0 * 20) }.joined(separator: ", "))) ORDER BY 1")),
            .init("keys", tracks(.isIn(.key, [.integer(5), .integer(7)])), hand("t.coffer_key IN (5, 7) ORDER BY 1")),
            .init(
                "a compound index", tracks(.and([track("genre") == "genre 7", track("rating") > 90])),
                hand("t.genre = 'genre 7' AND t.rating > 90 ORDER BY 1")),
            .init(
                "a short range in an order by another index",
                .rows(model.request("Track", track("age") > 199_990, order: [RowSort(track("name"), ascending: true)])),
                hand("t.age > 199990 ORDER BY +t.name, 1")),
            .init("nothing", tracks(.compare(track("num"), .equal, .value(.null))), hand("t.num IS NULL ORDER BY 1")),
        ]
    }

    private static func orders(_ model: PlanModel) -> [PlanShape] {
        func track(_ names: String) -> RowExpression { model.path("Track", names) }
        func page(_ predicate: RowPredicate, _ order: [(RowExpression, Bool)]) -> Request {
            .rows(model.request("Track", predicate, order: order.map { RowSort($0.0, ascending: $0.1) }, limit: 10))
        }
        func hand(_ rest: String) -> String { #"SELECT t.coffer_key FROM "Track" t "# + rest + " LIMIT 10" }
        let nulls = "NULLS FIRST"
        let joins = #"LEFT JOIN "Album" a ON a.coffer_key = t.album LEFT JOIN "Artist" b ON b.coffer_key = a.artist "#
        func keyset(_ field: String, _ value: Int64, _ next: RowPredicate) -> RowPredicate {
            .or([track(field) > value, .and([track(field) == value, next])])
        }
        return [
            .init("an order", page(.constant(true), [(track("num"), true)]), hand("ORDER BY t.num \(nulls), 1")),
            .init(
                "a descending order", page(.constant(true), [(track("num"), false)]),
                hand("ORDER BY t.num DESC NULLS LAST, 1")),
            .init(
                "an order by a compound index", page(track("genre") == "genre 7", [(track("rating"), true)]),
                hand("WHERE t.genre = 'genre 7' ORDER BY t.rating \(nulls), 1")),
            .init(
                "an order by a path", page(.constant(true), [(track("album.artist.name"), true)]), mayScan: true,
                hand(joins + "ORDER BY b.name \(nulls), 1")),
            .init(
                "an order by a path of found rows",
                page(track("album.artist.name") == "artist 77", [(track("album.year"), true)]),
                hand(joins + "WHERE b.name = 'artist 77' ORDER BY a.year \(nulls), 1")),
            .init(
                "a range in its order", page(track("age") > 150_000, [(track("age"), true)]),
                hand("WHERE t.age > 150000 ORDER BY t.age \(nulls), 1")),
            .init(
                "a page",
                page(keyset("num", 100_000, track("name") > "track 5"), [(track("num"), true), (track("name"), true)]),
                hand(
                    "WHERE t.num >= 100000 AND (t.num > 100000 OR (t.num = 100000 AND t.name > 'track 5')) "
                        + "ORDER BY t.num \(nulls), t.name \(nulls), 1")),
            .init(
                "a page by the key", page(keyset("num", 100_000, RowExpression.key > 50), [(track("num"), true)]),
                hand(
                    "WHERE t.num >= 100000 AND (t.num > 100000 OR (t.num = 100000 AND t.coffer_key > 50)) "
                        + "ORDER BY t.num \(nulls), 1")),
            .init(
                "a page of the compound index",
                page(
                    .and([
                        track("genre") == "genre 7",
                        .or([track("rating") > 50, .and([track("rating") == 50, RowExpression.key > 50])]),
                    ]), [(track("rating"), true)]),
                hand(
                    "WHERE t.genre = 'genre 7' AND t.rating >= 50 AND (t.rating > 50 OR (t.rating = 50 "
                        + "AND t.coffer_key > 50)) ORDER BY t.rating \(nulls), 1")),
        ]
    }

    private static func combinations(_ model: PlanModel) -> [PlanShape] {
        func track(_ names: String) -> RowExpression { model.path("Track", names) }
        func tracks(_ predicate: RowPredicate) -> Request { .rows(model.request("Track", predicate)) }
        func hand(_ condition: String) -> String {
            #"SELECT t.coffer_key FROM "Track" t WHERE "# + condition + " ORDER BY 1"
        }
        return [
            .init(
                "two indexes", tracks(.and([track("num") == 69_621, track("age") == 39_373])),
                hand("t.num = 69621 AND t.age = 39373")),
            .init(
                "either of two indexes", tracks(.or([track("num") == 69_621, track("age") == 39_373])),
                hand("t.num = 69621 OR t.age = 39373")),
            .init(
                "an index or a short range", tracks(.or([track("num") == 69_621, track("age") > 199_999])),
                #"SELECT coffer_key FROM "Track" WHERE num = 69621 UNION SELECT coffer_key FROM "Track" WHERE age > 199999 "#
                    + "ORDER BY 1"),
            .init(
                "an index and a condition without one",
                tracks(.and([track("num") == 69_621, .compare(track("note"), .notEqual, .value(.text("x")))])),
                hand("t.num = 69621 AND t.note <> 'x'")),
            .init(
                "an index and a negated one", tracks(.and([track("num") == 69_621, .not(track("age") == 5)])),
                hand("t.num = 69621 AND t.age IS NOT NULL AND t.age <> 5")),
            .init(
                "[c] beside an index",
                tracks(
                    .and([
                        track("genre") == "genre 7",
                        .text(track("name"), .equal, .value(.text("TRACK 197334")), .caseInsensitive),
                    ])),
                hand("t.genre = 'genre 7' AND lower(t.name) = 'track 197334'")),
        ]
    }

    private static func values(_ model: PlanModel) -> [PlanShape] {
        func track(_ names: String) -> RowExpression { model.path("Track", names) }
        func values(
            _ predicate: RowPredicate, _ terms: [ValueRequest.Term], groups: [RowExpression] = [],
            isDistinct: Bool = false
        ) -> Request {
            .values(
                ValueRequest(
                    rows: model.request("Track", predicate), terms: terms, groups: groups, isDistinct: isDistinct))
        }
        func hand(_ terms: String, _ rest: String) -> String { "SELECT \(terms) FROM \"Track\" t \(rest)" }
        let join = #"JOIN "Album" a ON a.coffer_key = t.album "#
        return [
            .init(
                "a count of a range", .count(model.request("Track", track("age") > 199_990)),
                hand("COUNT(*)", "WHERE t.age > 199990")),
            .init(
                "a count of a path", .count(model.request("Track", track("album.title") == "album 77")),
                hand("COUNT(*)", join + "WHERE a.title = 'album 77'")),
            .init(
                "whether one exists", .count(model.request("Track", track("album.title") == "album 77", limit: 1)),
                "SELECT COUNT(*) FROM (" + hand("1", join + "WHERE a.title = 'album 77' LIMIT 1") + ") x"),
            .init(
                "a maximum", values(track("genre") == "genre 7", [.aggregate(.maximum, track("rating"))]),
                hand("MAX(t.rating)", "WHERE t.genre = 'genre 7'")),
            .init(
                "a sum over a path", values(track("album.title") == "album 77", [.aggregate(.sum, track("rating"))]),
                hand("SUM(t.rating)", join + "WHERE a.title = 'album 77'")),
            .init(
                "distinct values of a path",
                values(track("num") == 69_621, [.expression(track("album.title"))], isDistinct: true),
                hand("DISTINCT a.title", "LEFT " + join + "WHERE t.num = 69621")),
            .init(
                "groups of found rows",
                values(
                    track("album.title") == "album 77", [.expression(track("genre")), .aggregate(.count, .key)],
                    groups: [track("genre")]),
                hand("t.genre, COUNT(*)", join + "WHERE a.title = 'album 77' GROUP BY t.genre ORDER BY 1")),
            .init(
                "values of a short range", values(track("age") > 199_990, [.expression(track("num"))]),
                hand("t.num", "WHERE t.age > 199990")),
        ]
    }
}
