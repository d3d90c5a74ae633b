import Foundation

extension LibPQPeer {
    /// Reserves new keys of a table, and returns the first key.
    private func reserve(_ count: Int, of table: String) throws -> Int {
        let sequence = "'\(table)_id_seq'"
        let text = "SELECT setval(\(sequence), nextval(\(sequence)) + \(max(0, count - 1)))"
        return try connection.prepare(text).run().integer(0, 0) - max(0, count - 1)
    }

    func insert(_ samples: [PersonSample]) throws -> [Person] {
        try connection.transaction {
            let people = samples.map { Person($0) }
            try insert(people)
            return people
        }
    }

    /// One statement finds the people, one statement changes them, and one statement copies the new people.
    func importPeople(_ samples: [PersonSample]) throws {
        try connection.transaction {
            var emails = LibPQParameters()
            emails.append(samples, type: Types.text) { $1.appendField($0.email) }
            let rows = try fetchPeople(peopleByEmail.run(emails))
            let known = Dictionary(rows.map { ($0.email, $0) }, uniquingKeysWith: { first, _ in first })
            var new: [Person] = []
            for sample in samples {
                if let person = known[sample.email] {
                    person.score = sample.score
                } else {
                    new.append(Person(sample))
                }
            }
            _ = try updateScores.run(Self.parameters(rows, withScores: true))
            try insert(new)
        }
    }

    /// Copies the people into a temporary table; one statement then writes them from this table.
    func upsertPeople(_ samples: [PersonSample]) throws {
        try connection.transaction {
            try connection.execute("CREATE TEMPORARY TABLE new_person (LIKE person) ON COMMIT DROP")
            try insert(samples.map { Person($0) }, into: "new_person")
            try connection.execute(
                """
                INSERT INTO person SELECT * FROM new_person ON CONFLICT (email) DO UPDATE SET name = excluded.name,
                age = excluded.age, score = excluded.score, active = excluded.active, createdAt = excluded.createdAt,
                bio = excluded.bio
                """)
        }
    }

    private func insert(_ people: [Person], into table: String = "person") throws {
        let first = try reserve(people.count, of: "person")
        for (index, person) in people.enumerated() { person.id = first + index }
        try connection.copy("COPY \(table) (\(SQLSchema.personColumns)) FROM STDIN (FORMAT binary)", people) {
            person, bytes in
            bytes.appendBigEndian(Int16(8))
            bytes.appendField(person.id)
            bytes.appendField(person.name)
            bytes.appendField(person.email)
            bytes.appendField(person.age)
            bytes.appendField(person.score)
            bytes.appendBigEndian(Int32(1))
            bytes.append(person.active ? 1 : 0)
            bytes.appendField(person.createdAt.timeIntervalSince1970)
            bytes.appendField(person.bio)
        }
    }

    func insert(_ samples: [ItemSample]) throws -> [Item] {
        try connection.transaction {
            let items = samples.map(Item.init)
            let first = try reserve(items.count, of: "item")
            for (index, item) in items.enumerated() { item.id = first + index }
            try connection.copy("COPY item (\(SQLSchema.itemColumns)) FROM STDIN (FORMAT binary)", items) {
                item, bytes in
                bytes.appendBigEndian(Int16(11))
                bytes.appendField(item.id)
                bytes.appendField(item.a)
                bytes.appendField(item.b)
                bytes.appendField(item.c)
                bytes.appendField(item.d)
                bytes.appendField(item.e)
                bytes.appendField(item.f)
                bytes.appendField(item.g)
                bytes.appendField(item.h)
                bytes.appendField(item.i)
                bytes.appendField(item.j)
            }
            return items
        }
    }

    func insert(_ families: [FamilySample]) throws {
        try connection.transaction {
            let first = try reserve(families.count, of: "parent")
            try connection.copy("COPY parent (id, name) FROM STDIN (FORMAT binary)", families.enumerated()) {
                family, bytes in
                bytes.appendBigEndian(Int16(2))
                bytes.appendField(first + family.offset)
                bytes.appendField(family.element.name)
            }
            let children = families.interleavedChildren
            try connection.copy("COPY child (parentId, name, value) FROM STDIN (FORMAT binary)", children) {
                sample, bytes in
                bytes.appendBigEndian(Int16(3))
                bytes.appendField(first + sample.parent)
                bytes.appendField(sample.child.name)
                bytes.appendField(sample.child.value)
            }
        }
    }

    /// A single statement is a transaction.
    func insertAlone(_ sample: PersonSample) throws {
        let person = Person(sample)
        var parameters = LibPQParameters()
        parameters.append(person.name)
        parameters.append(person.email)
        parameters.append(person.age)
        parameters.append(person.score)
        parameters.append(person.active)
        parameters.append(person.createdAt.timeIntervalSince1970)
        parameters.append(person.bio)
        person.id = try insertPerson.run(parameters).integer(0, 0)
    }

    func addToScore(_ points: Double, ofPeopleYoungerThan age: Int) throws {
        try connection.transaction {
            let people = try fetchPeople(younger.run(LibPQParameters(age)))
            for person in people { person.score += points }
            _ = try updateScores.run(Self.parameters(people, withScores: true))
        }
    }

    func deletePeople(youngerThan age: Int) throws {
        try connection.transaction {
            let people = try fetchPeople(younger.run(LibPQParameters(age)))
            _ = try deletePeople.run(Self.parameters(people, withScores: false))
        }
    }
}
