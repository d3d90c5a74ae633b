extension RawPeer {
    func allPeople() throws -> [Person] { try fetchPeople(people) }

    func followPeople() throws -> any FollowedPeople { try RawFollowedPeople(self) }

    func digestOfPeople() throws -> Int {
        try fetchPeople(people).digest
    }

    func digestOfItems() throws -> Int {
        var found: [Item] = []
        try items.forEachRow { found.append(Item($0)) }
        return found.digest
    }

    func digestOfPeople(olderThan age: Int, limit: Int) throws -> Int {
        older.bind(age, at: 1)
        older.bind(limit, at: 2)
        return try fetchPeople(older).digest
    }

    func identifiers() throws -> [Int] {
        var found: [Int] = []
        try database.prepare(SQLSchema.selectIdentifiers).forEachRow { found.append($0.integer(0)) }
        return found
    }

    func digestOfPeople(_ identifiers: [Int]) throws -> Int {
        try database.transaction {
            var digest = 0
            for identifier in identifiers {
                person.bind(identifier, at: 1)
                try person.forEachRow { digest &+= Person($0).digest }
            }
            return digest
        }
    }

    func digestOfPeople(withEmails emails: [String]) throws -> Int {
        try database.transaction {
            var digest = 0
            for email in emails {
                personByEmail.bind(email, at: 1)
                try personByEmail.forEachRow { digest &+= Person($0).digest }
            }
            return digest
        }
    }

    func digestOfAgeGroups() throws -> Int {
        var digest = 0
        try ageGroups.forEachRow { row in
            digest &+= AgeGroup.digest(
                age: row.integer(0), count: row.integer(1), average: row.double(2), maximum: row.double(3)
            )
        }
        return digest
    }

    func digestOfFamilies() throws -> Int {
        var found: [Parent] = []
        var byKey: [Int: Parent] = [:]
        try parents.forEachRow { row in
            let parent = Parent(row)
            found.append(parent)
            byKey[parent.id] = parent
        }
        try children.forEachRow { row in
            byKey[row.integer(1)]?.children.append(Child(row))
        }
        return found.reduce(0) { digest, parent in
            parent.children.reduce(digest &+ parent.name.utf8.count) { $0 &+ $1.name.utf8.count &+ $1.value }
        }
    }

    @inline(__always)
    func fetchPeople(_ statement: RawStatement) throws -> [Person] {
        var found: [Person] = []
        try statement.forEachRow { found.append(Person($0)) }
        return found
    }
}
