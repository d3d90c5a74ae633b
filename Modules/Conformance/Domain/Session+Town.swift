import CofferStorage

/// Fills a store with the test data of most cases: a few people, pets, books and tags, which have names.
///
/// ```
/// person   entity    order  nick   height  mentor  tags       friends   favorites
/// Ann      Person    3      annie  1.75            red, blue  Bob, Dan  Emma, Dune
/// Bob      Person    -      -      -       Ann                Ann       Dune
/// Cleo     Person    1      -      1.6     Ann
/// Dan      Student   2      danny  1.75    Bob     red        Ann
/// Eve      Student   -      EVE    -
/// ann      Person    3      Annie  0.5
///
/// pet      order  species  owner, place   tags          book     isbn  shelf, place  price  pages  readers
/// Rex      5      dog      Ann 1          red           Dune     1     A 1           9.99   412    Bob, Ann
/// Mia      -      cat      Ann 0                        Emma     -     A 2           5.01   474    Ann
/// Tom      3      cat      Bob 0                        Ulysses  2     - 1           -      730
/// Stray    4      -        -
/// ```
extension Session {
    var creature: TestEntity { get throws { try entity("Creature") } }
    var person: TestEntity { get throws { try entity("Person") } }
    var student: TestEntity { get throws { try entity("Student") } }
    var pet: TestEntity { get throws { try entity("Pet") } }
    var book: TestEntity { get throws { try entity("Book") } }
    var tag: TestEntity { get throws { try entity("Tag") } }

    /// The people that a condition holds for must be those with some names.
    func expectPeople(
        where predicate: RowPredicate, _ expected: [String], _ what: @autoclosure () -> String
    ) throws {
        try expectNames(of: person, where: predicate, expected, what())
    }

    /// Whether some row that a relationship leads to, at the end of a path, fulfils a condition.
    func some(_ relationship: String, from path: [String] = [], _ condition: RowPredicate) throws -> RowPredicate {
        try .some(
            from: path.map(self.relationship), relationship: self.relationship(relationship), condition)
    }

    /// An aggregate of the rows that a relationship leads to, at the end of a path.
    func aggregate(
        _ aggregate: ValueRequest.Aggregate, _ value: RowExpression, from path: [String] = [],
        of relationship: String, where condition: RowPredicate = .constant(true)
    ) throws -> RowExpression {
        try .aggregate(
            aggregate, value, from: path.map(self.relationship), relationship: self.relationship(relationship),
            where: condition)
    }

    /// The link between a creature and a tag.
    func tagLink(_ name: String, _ label: String) throws -> ChangeSet.Link { try link("tags", key(name), key(label)) }

    /// The link between a person and a book, the book at a place among the person's favorites, and so the reverse.
    func favorite(
        _ name: String, _ title: String, bookPlace: Int64 = 0, readerPlace: Int64 = 0
    ) throws -> ChangeSet.Link {
        try link("favorites", key(name), key(title), place: bookPlace, inversePlace: readerPlace)
    }

    /// Policies for the constraints of books.
    func bookPolicies(
        isbn: UniqueConstraintPolicy, place: UniqueConstraintPolicy = .merge
    ) throws -> [Int: [UniqueConstraintPolicy]] {
        [try book.entity.root: [isbn, place]]
    }

    /// The merge of an inserted book into another one.
    func merge(_ from: Int64, into: Int64, isKept: Bool = false) throws -> CommitResult.Merge {
        try .init(root: book.entity.root, from: from, into: into, isKept: isKept)
    }

    /// The same store, with the rows of the town.
    func populated() throws -> Session {
        var town = self
        // Keys in this order, so that "in the order of the keys" is the order of the tables above.
        try town.name(
            "Creature",
            [
                "Ann": "Person", "Bob": "Person", "Cleo": "Person", "Dan": "Student", "Eve": "Student", "ann": "Person",
                "Rex": "Pet", "Mia": "Pet", "Tom": "Pet", "Stray": "Pet",
            ])
        try town.name("Book", ["Dune": "Book", "Emma": "Book", "Ulysses": "Book"])
        try town.name("Tag", ["red": "Tag", "blue": "Tag", "empty": "Tag"])
        try town.insertTown()
        return town
    }

    private mutating func name(_ root: EntityName, _ entities: KeyValuePairs<String, EntityName>) throws {
        for (row, key) in try zip(entities, reserve(root, entities.count)) {
            namedRows[row.key] = NamedRow(root: root, entity: row.value, key: key)
        }
    }

    private func insertTown() throws {
        let people: [(String, Value, Value, Value, String?)] = [
            ("Ann", .integer(3), .text("annie"), .double(1.75), nil), ("Bob", .null, .null, .null, "Ann"),
            ("Cleo", .integer(1), .null, .double(1.6), "Ann"),
            ("Dan", .integer(2), .text("danny"), .double(1.75), "Bob"), ("Eve", .null, .text("EVE"), .null, nil),
            ("ann", .integer(3), .text("Annie"), .double(0.5), nil),
        ]
        let pets: [(String, Value, Value, String?, Int64)] = [
            ("Rex", .integer(5), .text("dog"), "Ann", 1), ("Mia", .null, .text("cat"), "Ann", 0),
            ("Tom", .integer(3), .text("cat"), "Bob", 0), ("Stray", .integer(4), .null, nil, 0),
        ]
        let books: [(String, Value, Value, Value, Value, Value)] = [
            ("Dune", .text("1"), .text("A"), .integer(1), .decimal(cents: 999), .integer(412)),
            ("Emma", .null, .text("A"), .integer(2), .decimal(cents: 501), .integer(474)),
            ("Ulysses", .text("2"), .null, .integer(1), .null, .integer(730)),
        ]
        try commit { changes in
            func insert(_ name: String, _ values: [String: Value]) throws {
                try changes.insert(named(name).entity, values, key: key(name))
            }
            for (name, order, nick, height, mentor) in people {
                var values: [String: Value] = ["name": .text(name), "order": order, "nick": nick, "height": height]
                if let mentor { values["mentor"] = try .integer(key(mentor)) }
                try insert(name, values)
            }
            for (name, order, species, owner, place) in pets {
                var values: [String: Value] = ["name": .text(name), "order": order, "species": species]
                if let owner {
                    values["owner"] = try .integer(key(owner))
                    values["owner position"] = .integer(place)
                }
                try insert(name, values)
            }
            for (title, isbn, shelf, place, price, pages) in books {
                let values: [String: Value] = [
                    "title": .text(title), "isbn": isbn, "shelf": shelf, "place": place, "price": price, "pages": pages,
                ]
                try insert(title, values)
            }
            for label in ["red", "blue", "empty"] { try insert(label, ["label": .text(label)]) }
            try changes.links += [("Ann", "red"), ("Ann", "blue"), ("Dan", "red"), ("Rex", "red")].map(tagLink)
            for (one, other) in [("Ann", "Bob"), ("Bob", "Ann"), ("Ann", "Dan"), ("Dan", "Ann")] {
                try changes.links.append(link("friends", key(one), key(other)))
            }
            try changes.links += [
                favorite("Ann", "Dune", bookPlace: 1, readerPlace: 1), favorite("Ann", "Emma"),
                favorite("Bob", "Dune"),
            ]
        }
    }
}
