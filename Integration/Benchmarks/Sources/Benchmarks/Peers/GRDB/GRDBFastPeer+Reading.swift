import GRDB

extension GRDBFastPeer {
    func allPeople() throws -> [Person] {
        try queue.read { try Person.fetchAll($0.cachedStatement(sql: SQLSchema.selectPeople)) }
    }

    func followPeople() throws -> any FollowedPeople {
        try GRDBFollowedPeople(queue, key: { (person: Person) in person.id }) { database in
            try Person.fetchAll(database.cachedStatement(sql: SQLSchema.selectPeopleByName))
        }
    }

    func digestOfPeople() throws -> Int {
        try queue.read { try Person.fetchAll($0.cachedStatement(sql: SQLSchema.selectPeople)).digest }
    }

    func digestOfItems() throws -> Int {
        try queue.read { try Item.fetchAll($0.cachedStatement(sql: SQLSchema.selectItems)).digest }
    }

    func digestOfPeople(olderThan age: Int, limit: Int) throws -> Int {
        try queue.read { database in
            let statement = try database.cachedStatement(sql: SQLSchema.selectOlder)
            return try Person.fetchAll(statement, arguments: [age, limit]).digest
        }
    }

    func digestOfPeople(_ identifiers: [Int64]) throws -> Int {
        try queue.read { database in
            let statement = try database.cachedStatement(sql: SQLSchema.selectPerson)
            return try identifiers.reduce(0) { digest, identifier in
                statement.setUncheckedArguments([identifier])
                return try digest &+ (Person.fetchOne(statement)?.digest ?? 0)
            }
        }
    }

    func digestOfPeople(withEmails emails: [String]) throws -> Int {
        try queue.read { database in
            let statement = try database.cachedStatement(sql: SQLSchema.selectPersonByEmail)
            return try emails.reduce(0) { digest, email in
                statement.setUncheckedArguments([email])
                return try digest &+ (Person.fetchOne(statement)?.digest ?? 0)
            }
        }
    }

    func digestOfAgeGroups() throws -> Int {
        try queue.read { database in
            var digest = 0
            let rows = try Row.fetchCursor(database.cachedStatement(sql: SQLSchema.selectAgeGroups))
            while let row = try rows.next() {
                digest &+= AgeGroup.digest(age: row[0], count: row[1], average: row[2], maximum: row[3])
            }
            return digest
        }
    }

    func digestOfFamilies() throws -> Int {
        try queue.read { database in
            let parents = try Parent.fetchAll(database.cachedStatement(sql: SQLSchema.selectParents))
            let byKey = Dictionary(uniqueKeysWithValues: parents.map { ($0.id, $0) })
            let children = try Child.fetchCursor(database.cachedStatement(sql: SQLSchema.selectChildren))
            while let child = try children.next() {
                byKey[child.parentId]?.children.append(child)
            }
            return parents.reduce(0) { digest, parent in
                parent.children.reduce(digest &+ parent.name.utf8.count) { $0 &+ $1.name.utf8.count &+ $1.value }
            }
        }
    }
}
