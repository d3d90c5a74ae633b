public import CofferStorage

/// A store of 200,000 tracks for query plans: three to-one relationships in a path, a many-to-many one, and indexes.
public struct PlanModel: Sendable {
    public let layout: ModelLayout

    public init() throws { layout = try ModelLayout(Self.model) }

    public static let trackCount = 200_000

    static let model = StoreModel(
        version: "V1",
        entities: [
            EntityDescription(
                name: "Country", attributes: [.init(name: "name", type: .stringAttributeType)],
                relationships: [.init(name: "artists", destination: "Artist", inverse: "country", isToMany: true)],
                indexes: [["name"]]),
            EntityDescription(
                name: "Artist",
                attributes: [
                    .init(name: "name", type: .stringAttributeType), .init(name: "born", type: .integer64AttributeType),
                ],
                relationships: [
                    .init(name: "country", destination: "Country", inverse: "artists", isToMany: false),
                    .init(name: "albums", destination: "Album", inverse: "artist", isToMany: true),
                ],
                indexes: [["name"], ["born"]]),
            EntityDescription(
                name: "Album",
                attributes: [
                    .init(name: "title", type: .stringAttributeType),
                    .init(name: "year", type: .integer64AttributeType),
                ],
                relationships: [
                    .init(name: "artist", destination: "Artist", inverse: "albums", isToMany: false),
                    .init(name: "tracks", destination: "Track", inverse: "album", isToMany: true),
                ],
                indexes: [["title"], ["year"]]),
            EntityDescription(
                name: "Track",
                attributes: [
                    .init(name: "name", type: .stringAttributeType), .init(name: "num", type: .integer64AttributeType),
                    .init(name: "age", type: .integer64AttributeType, isOptional: true),
                    .init(name: "genre", type: .stringAttributeType),
                    .init(name: "rating", type: .integer64AttributeType),
                    .init(name: "note", type: .stringAttributeType),
                ],
                relationships: [
                    .init(name: "album", destination: "Album", inverse: "tracks", isToMany: false),
                    .init(name: "tags", destination: "Tag", inverse: "tracks", isToMany: true),
                ],
                indexes: [["name"], ["num"], ["age"], ["genre", "rating"]]),
            EntityDescription(
                name: "Tag", attributes: [.init(name: "label", type: .stringAttributeType)],
                relationships: [.init(name: "tracks", destination: "Track", inverse: "tags", isToMany: true)],
                uniqueConstraints: [["label"]]),
        ]
    )

    /// The statements that fill the tables, for both databases.
    ///
    /// Every 200th track has no album, and every 100th album has no artist.
    public static let content: [String] = [
        fill("Country", 100, "name", "'country ' || i"),
        fill("Artist", 2_000, "name, born, country", "'artist ' || (i * 7919 % 2000), 1900 + i % 100, 1 + i % 100"),
        fill(
            "Album", 20_000, "title, year, artist",
            "'album ' || i, 1950 + i % 70, CASE WHEN i % 100 = 0 THEN NULL ELSE 1 + i * 7919 % 2000 END"),
        fill(
            "Track", trackCount, "name, num, age, genre, rating, note, album",
            """
            'track ' || (i * 48271 % 200003), i * 69621 % 200003, \
            CASE WHEN i % 50 = 0 THEN NULL ELSE i * 39373 % 200003 END, 'genre ' || (i % 500), i * 31 % 100, \
            'note ' || i, CASE WHEN i % 200 = 0 THEN NULL ELSE 1 + i * 7907 % 20000 END
            """),
        fill("Tag", 5_000, "label", "'tag ' || i"),
        numbers(100_000) + """
            INSERT INTO "coffer_link_Tag_tracks" ("first", "second") SELECT 1 + i * 31 % 5000, i * 2 FROM n
            """,
    ]

    private static func numbers(_ count: Int) -> String {
        "WITH RECURSIVE n(i) AS (SELECT CAST(1 AS bigint) UNION ALL SELECT i + 1 FROM n WHERE i < \(count)) "
    }

    private static func fill(_ table: String, _ count: Int, _ columns: String, _ values: String) -> String {
        numbers(count)
            + "INSERT INTO \"\(table)\" (coffer_key, coffer_version, \(columns)) SELECT i, 1, \(values) FROM n"
    }

    /// Returns the value at the end of a path.
    public func path(_ entity: String, _ names: String) -> RowExpression {
        let parts = names.split(separator: ".").map(String.init)
        guard let index = layout.index(of: entity) else { return .key }
        if let relationship = layout.entities[index].relationship(named: parts[0]), parts.count > 1 {
            let destination = layout.entities[layout.relationships[relationship].destination].name
            let rest = path(destination, parts.dropFirst().joined(separator: "."))
            return .through(relationship: relationship, rest)
        }
        guard let slot = layout.entities[index].slot(named: parts[0]) else { return .key }
        return .column(slot: slot, kind: layout.entities[index].kinds[slot])
    }

    public func relationship(_ entity: String, _ name: String) -> Int {
        layout.entity(named: entity)?.relationship(named: name) ?? 0
    }

    func some(_ entity: String, _ name: String, from: [Int] = [], _ condition: RowPredicate) -> RowPredicate {
        .some(from: from, relationship: relationship(entity, name), condition)
    }

    public func request(
        _ entity: String, _ predicate: RowPredicate = .constant(true), order: [RowSort] = [], limit: Int? = nil
    ) -> RowRequest {
        RowRequest(entity: layout.index(of: entity) ?? 0, predicate: predicate, order: order, limit: limit)
    }
}

extension RowExpression {
    static func == (left: RowExpression, right: Int64) -> RowPredicate {
        .compare(left, .equal, .value(.integer(right)))
    }
    static func == (left: RowExpression, right: String) -> RowPredicate { .compare(left, .equal, .value(.text(right))) }
    static func > (left: RowExpression, right: Int64) -> RowPredicate {
        .compare(left, .greater, .value(.integer(right)))
    }
    static func > (left: RowExpression, right: String) -> RowPredicate {
        .compare(left, .greater, .value(.text(right)))
    }
    static func < (left: RowExpression, right: Int64) -> RowPredicate { .compare(left, .less, .value(.integer(right))) }

    /// Returns the condition for strings with a prefix, in the form that the core uses.
    func hasPrefix(_ prefix: String, before end: String) -> RowPredicate {
        .and([
            .compare(self, .greaterOrEqual, .value(.text(prefix))), .compare(self, .less, .value(.text(end))),
        ])
    }
}
