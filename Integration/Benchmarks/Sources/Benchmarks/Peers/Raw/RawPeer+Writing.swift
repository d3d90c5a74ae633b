extension RawPeer {
    func insert(_ people: [PersonSample]) throws -> [Person] {
        try database.transaction {
            try people.map { sample in
                let person = Person(sample)
                try insert(person)
                return person
            }
        }
    }

    func insert(_ items: [ItemSample]) throws -> [Item] {
        try database.transaction {
            try items.map { sample in
                let item = Item(sample)
                try insert(item)
                return item
            }
        }
    }

    func insert(_ families: [FamilySample]) throws {
        let insertParent = try database.prepare(SQLSchema.insertParent)
        let insertChild = try database.prepare(SQLSchema.insertChild)
        try database.transaction {
            var parents: [Int] = []
            for family in families {
                insertParent.bind(family.name, at: 1)
                try insertParent.run()
                parents.append(database.lastInsertedKey)
            }
            for (parent, child) in families.interleavedChildren {
                insertChild.bind(parents[parent], at: 1)
                insertChild.bind(child.name, at: 2)
                insertChild.bind(child.value, at: 3)
                try insertChild.run()
            }
        }
    }

    func insertAlone(_ person: PersonSample) throws {
        try database.transaction { try insert(Person(person)) }
    }

    func addToScore(_ points: Double, ofPeopleYoungerThan age: Int) throws {
        try database.transaction {
            younger.bind(age, at: 1)
            for person in try fetchPeople(younger) {
                person.score += points
                try write(score: person.score, of: person)
            }
        }
    }

    func deletePeople(youngerThan age: Int) throws {
        try database.transaction {
            younger.bind(age, at: 1)
            for person in try fetchPeople(younger) {
                deletePerson.bind(person.id, at: 1)
                try deletePerson.run()
            }
        }
    }

    func importPeople(_ samples: [PersonSample]) throws {
        try database.transaction {
            for sample in samples {
                personByEmail.bind(sample.email, at: 1)
                if let person = try fetchPeople(personByEmail).first {
                    person.score = sample.score
                    try write(score: person.score, of: person)
                } else {
                    try insert(Person(sample))
                }
            }
        }
    }

    func upsertPeople(_ samples: [PersonSample]) throws {
        try database.transaction {
            for sample in samples { try write(Person(sample), upsertPerson) }
        }
    }

    @inline(__always)
    func write(score: Double, of person: Person) throws {
        updateScore.bind(score, at: 1)
        updateScore.bind(person.id, at: 2)
        try updateScore.run()
    }

    @inline(__always)
    private func insert(_ person: Person) throws {
        try write(person, insertPerson)
        person.id = database.lastInsertedKey
    }

    @inline(__always)
    private func write(_ person: Person, _ statement: RawStatement) throws {
        statement.bind(person.name, at: 1)
        statement.bind(person.email, at: 2)
        statement.bind(person.age, at: 3)
        statement.bind(person.score, at: 4)
        statement.bind(person.active ? 1 : 0, at: 5)
        statement.bind(person.createdAt.timeIntervalSince1970, at: 6)
        statement.bind(person.bio, at: 7)
        try statement.run()
    }

    @inline(__always)
    private func insert(_ item: Item) throws {
        insertItem.bind(item.a, at: 1)
        insertItem.bind(item.b, at: 2)
        insertItem.bind(item.c, at: 3)
        insertItem.bind(item.d, at: 4)
        insertItem.bind(item.e, at: 5)
        insertItem.bind(item.f, at: 6)
        insertItem.bind(item.g, at: 7)
        insertItem.bind(item.h, at: 8)
        insertItem.bind(item.i, at: 9)
        insertItem.bind(item.j, at: 10)
        try insertItem.run()
        item.id = database.lastInsertedKey
    }
}
