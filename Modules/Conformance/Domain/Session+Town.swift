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

    /// The names of all people, in the order of their keys.
    static let everyone = ["Ann", "Bob", "Cleo", "Dan", "Eve", "ann"]

    /// Checks that a condition is true for exactly the people with some names.
    func expectPeople(where predicate: RowPredicate, _ expected: [String], _ what: @autoclosure () -> String) throws {
        try expectNames(of: person, where: predicate, expected, what())
    }

    /// Checks several conditions, each with its description and the names of the people that fulfil it.
    func expectPeople(_ expected: [(what: String, predicate: RowPredicate, names: [String])]) throws {
        for (what, predicate, names) in expected { try expectPeople(where: predicate, names, what) }
    }

    /// Returns a predicate: at least one related row at the end of a path fulfils a condition.
    func some(_ relationship: String, from path: [String] = [], _ condition: RowPredicate) throws -> RowPredicate {
        try .some(from: path.map(self.relationship), relationship: self.relationship(relationship), condition)
    }

    /// Returns an aggregate of the related rows at the end of a path.
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

    /// The link between a person and a book, with the place of each among the members of the other.
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

    /// The merge of an inserted book into another book.
    func merge(_ from: Int64, into: Int64, isKept: Bool = false) throws -> CommitResult.Merge {
        try .init(root: book.entity.root, from: from, into: into, isKept: isKept)
    }

    /// Inserts the rows of the town, and returns the session with their names.
    func populated() throws -> Session {
        var town = self
        // The keys are reserved in this order, so that the order of the keys is the order of the tables above.
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
        let (ann, bob, shelf) = (Value.integer(try key("Ann")), Value.integer(try key("Bob")), Value.text("A"))
        let rows: KeyValuePairs<String, [String: Value]> = [
            "Ann": ["order": .integer(3), "nick": .text("annie"), "height": .double(1.75)],
            "Bob": ["mentor": ann],
            "Cleo": ["order": .integer(1), "height": .double(1.6), "mentor": ann],
            "Dan": ["order": .integer(2), "nick": .text("danny"), "height": .double(1.75), "mentor": bob],
            "Eve": ["nick": .text("EVE")],
            "ann": ["order": .integer(3), "nick": .text("Annie"), "height": .double(0.5)],
            "Rex": ["order": .integer(5), "species": .text("dog"), "owner": ann, "owner position": .integer(1)],
            "Mia": ["species": .text("cat"), "owner": ann, "owner position": .integer(0)],
            "Tom": ["order": .integer(3), "species": .text("cat"), "owner": bob, "owner position": .integer(0)],
            "Stray": ["order": .integer(4)],
            "Dune": [
                "isbn": .text("1"), "shelf": shelf, "place": .integer(1), "price": .decimal(cents: 999),
                "pages": .integer(412),
            ],
            "Emma": ["shelf": shelf, "place": .integer(2), "price": .decimal(cents: 501), "pages": .integer(474)],
            "Ulysses": ["isbn": .text("2"), "place": .integer(1), "pages": .integer(730)],
            "red": [:], "blue": [:], "empty": [:],
        ]
        let titles = ["Creature": "name", "Book": "title", "Tag": "label"]
        try commit { changes in
            for (name, values) in rows {
                let row = try named(name)
                let title = titles[row.root, default: ""]
                try changes.insert(row.entity, values.merging([title: .text(name)]) { $1 }, key: row.key)
            }
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
