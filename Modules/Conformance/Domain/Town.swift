import CofferStorage

/// The test data of most cases: an open store with a few people, pets, books and tags.
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
struct Town: Sendable {
    let session: Session
    let creature: TestEntity
    let person: TestEntity
    let student: TestEntity
    let pet: TestEntity
    let book: TestEntity
    let tag: TestEntity
    private let keys: [String: Int64]

    init(in session: Session) throws {
        self.session = session
        creature = try session.entity("Creature")
        person = try session.entity("Person")
        student = try session.entity("Student")
        pet = try session.entity("Pet")
        book = try session.entity("Book")
        tag = try session.entity("Tag")
        var keys: [String: Int64] = [:]
        // Keys in this order, so that "in the order of the keys" is the order of the tables above.
        let creatures = ["Ann", "Bob", "Cleo", "Dan", "Eve", "ann", "Rex", "Mia", "Tom", "Stray"]
        for (name, key) in try zip(creatures, session.reserve("Creature", creatures.count)) { keys[name] = key }
        for (name, key) in try zip(["Dune", "Emma", "Ulysses"], session.reserve("Book", 3)) { keys[name] = key }
        for (name, key) in try zip(["red", "blue", "empty"], session.reserve("Tag", 3)) { keys[name] = key }
        self.keys = keys
        try populate()
    }

    /// The key of someone or something, by name.
    func key(_ name: String) throws -> Int64 {
        guard let key = keys[name] else { throw Mismatch("Nobody in the town is called '\(name)'.") }
        return key
    }

    /// The names that go with keys of people, pets, books or tags; a key nobody has is shown as its number.
    func names(_ found: [Int64], in entity: TestEntity) -> [String] {
        let root = entity.entity.root
        let candidates = keys.filter { name, _ in Self.root(of: name, in: self) == root }
        let byKey = Dictionary(candidates.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        return found.map { byKey[$0] ?? "\($0)" }
    }

    private static func root(of name: String, in town: Town) -> Int {
        switch name {
        case "Dune", "Emma", "Ulysses": town.book.entity.root
        case "red", "blue", "empty": town.tag.entity.root
        default: town.creature.entity.root
        }
    }

    /// The names of what a request finds.
    func names(
        _ entity: TestEntity, where predicate: RowPredicate = .constant(true), order: [RowSort] = [], offset: Int = 0,
        limit: Int? = nil
    ) throws -> [String] {
        let request = entity.request(where: predicate, order: order, offset: offset, limit: limit)
        return names(try session.rows(request).map(\.key), in: entity)
    }

    /// The names of those a to-many relationship leads to.
    func names(_ entity: TestEntity, _ relationship: String, of name: String) throws -> [String] {
        let index = try entity.relationship(relationship)
        return names(try session.related(index, of: key(name)), in: entity.end(of: index))
    }

    private func populate() throws {
        try session.commit { changes in
            let people: [(TestEntity, String, Value, Value, Value, String?)] = [
                (person, "Ann", .integer(3), .text("annie"), .double(1.75), nil),
                (person, "Bob", .null, .null, .null, "Ann"),
                (person, "Cleo", .integer(1), .null, .double(1.6), "Ann"),
                (student, "Dan", .integer(2), .text("danny"), .double(1.75), "Bob"),
                (student, "Eve", .null, .text("EVE"), .null, nil),
                (person, "ann", .integer(3), .text("Annie"), .double(0.5), nil),
            ]
            for (entity, name, order, nick, height, mentor) in people {
                var values: [String: Value] = ["name": .text(name), "order": order, "nick": nick, "height": height]
                if let mentor { values["mentor"] = try .integer(key(mentor)) }
                try changes.inserts.append(.init(row: entity.row(key(name), values)))
            }
            let pets: [(String, Value, Value, String?, Int64)] = [
                ("Rex", .integer(5), .text("dog"), "Ann", 1), ("Mia", .null, .text("cat"), "Ann", 0),
                ("Tom", .integer(3), .text("cat"), "Bob", 0), ("Stray", .integer(4), .null, nil, 0),
            ]
            for (name, order, species, owner, place) in pets {
                var values: [String: Value] = ["name": .text(name), "order": order, "species": species]
                if let owner {
                    values["owner"] = try .integer(key(owner))
                    values["owner position"] = .integer(place)
                }
                try changes.inserts.append(.init(row: pet.row(key(name), values)))
            }
            let books: [(String, Value, Value, Value, Value, Value)] = [
                ("Dune", .text("1"), .text("A"), .integer(1), .decimal(cents: 999), .integer(412)),
                ("Emma", .null, .text("A"), .integer(2), .decimal(cents: 501), .integer(474)),
                ("Ulysses", .text("2"), .null, .integer(1), .null, .integer(730)),
            ]
            for (title, isbn, shelf, place, price, pages) in books {
                let values: [String: Value] = [
                    "title": .text(title), "isbn": isbn, "shelf": shelf, "place": place, "price": price, "pages": pages,
                ]
                try changes.inserts.append(.init(row: book.row(key(title), values)))
            }
            for label in ["red", "blue", "empty"] {
                try changes.inserts.append(.init(row: tag.row(key(label), ["label": .text(label)])))
            }
            try link(&changes)
        }
    }

    private func link(_ changes: inout ChangeSet) throws {
        for (creatureName, label) in [("Ann", "red"), ("Ann", "blue"), ("Dan", "red"), ("Rex", "red")] {
            try changes.links.append(tagLink(creatureName, label))
        }
        for (one, other) in [("Ann", "Bob"), ("Bob", "Ann"), ("Ann", "Dan"), ("Dan", "Ann")] {
            try changes.links.append(.init(table: person.linkTable("friends"), first: key(one), second: key(other)))
        }
        try changes.links.append(favorite("Ann", "Dune", bookPlace: 1, readerPlace: 1))
        try changes.links.append(favorite("Ann", "Emma", bookPlace: 0, readerPlace: 0))
        try changes.links.append(favorite("Bob", "Dune", bookPlace: 0, readerPlace: 0))
    }

    /// The link between a creature and a tag.
    func tagLink(_ creatureName: String, _ label: String) throws -> ChangeSet.Link {
        try creature.link("tags", key(creatureName), key(label))
    }

    /// The link between a person and a book, the book at a place among the person's favorites, and so the reverse.
    func favorite(
        _ name: String, _ title: String, bookPlace: Int64, readerPlace: Int64
    ) throws -> ChangeSet.Link {
        try person.link("favorites", key(name), key(title), place: bookPlace, inversePlace: readerPlace)
    }
}
