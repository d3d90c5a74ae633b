import CofferStorage

/// The entities and properties whose names are edge cases of quoting in SQL.
enum EdgeCaseNames {
    /// Names that contain keywords, quotes, comments, spaces or other scripts, and other edge cases.
    ///
    /// The other edge cases are names that a store may use itself, names that differ only by case, and quotes before a
    /// combining accent.
    static let names = [
        "select", "from", "group", "table", "null", "a\"b", "a'b", "a`b", "a;b", "a]b", "--", "/*", "%s", "?1", "$1",
        ":a",
        "with space", "id", "ID", "Id", "_id", "key", "version", "entity", "position", "rowid", "oid", "ctid", "first",
        "second", "name", "Name", "é", "имя", "名前", "👩‍👧", "\\",
        "a\"\u{301}b", "a'\u{301}b",
        "a name so long that a database which keeps sixty-three bytes of names takes it for its neighbour, the first",
        "a name so long that a database which keeps sixty-three bytes of names takes it for its neighbour, the next",
    ]

    static let entities: [EntityDescription] = [
        EntityDescription(
            name: "order",
            attributes: names.map { .init(name: $0, type: .integer64AttributeType, isOptional: true) },
            relationships: [
                .init(name: "where", destination: "Order", inverse: "by", isToMany: true, isOrdered: true),
                .init(name: "li\"nk", destination: "Order", inverse: "LI\"NK", isToMany: true),
            ],
            indexes: names.map { [$0] } + [["a\"b", "select"]],
            uniqueConstraints: [["id", "ID"]]
        ),
        EntityDescription(
            name: "Order",
            attributes: [.init(name: "select", type: .stringAttributeType, isOptional: true)],
            relationships: [
                .init(name: "by", destination: "order", inverse: "where", isToMany: false),
                .init(name: "LI\"NK", destination: "order", inverse: "li\"nk", isToMany: true),
            ]
        ),
        EntityDescription(
            name: "a\"b'c; --", attributes: [.init(name: "a", type: .stringAttributeType, isOptional: true)]
        ),
        EntityDescription(
            name: "a\"\u{301}b'\u{301}c", parent: "a\"b'c; --",
            attributes: [.init(name: "b\"\u{301}", type: .stringAttributeType, isOptional: true)]
        ),
    ]
}
