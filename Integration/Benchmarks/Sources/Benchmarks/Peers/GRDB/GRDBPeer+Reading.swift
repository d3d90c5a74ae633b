import GRDB

extension GRDBPeer {
    func allPeople() throws -> [Person] { try queue.read { try Person.fetchAll($0) } }

    func followPeople() throws -> any FollowedPeople {
        try GRDBFollowedPeople(queue, key: \Person.id) { try Person.order(Person.Columns.name).fetchAll($0) }
    }

    func digestOfPeople() throws -> Int {
        try queue.read { try Person.fetchAll($0).digest }
    }

    func digestOfItems() throws -> Int {
        try queue.read { try Item.fetchAll($0).digest }
    }

    func digestOfPeople(olderThan age: Int, limit: Int) throws -> Int {
        try queue.read { database in
            try Person.filter(Person.Columns.age > age).order(Person.Columns.name).limit(limit)
                .fetchAll(database).digest
        }
    }

    func digestOfPeople(_ identifiers: [Int64]) throws -> Int {
        try queue.read { database in
            try identifiers.reduce(0) { digest, identifier in
                try digest &+ (Person.fetchOne(database, key: identifier)?.digest ?? 0)
            }
        }
    }

    func digestOfPeople(withEmails emails: [String]) throws -> Int {
        try queue.read { database in
            try emails.reduce(0) { digest, email in
                try digest &+ (Person.filter(Person.Columns.email == email).fetchOne(database)?.digest ?? 0)
            }
        }
    }

    func digestOfAgeGroups() throws -> Int {
        try queue.read { database in
            let groups = Person.select(
                Person.Columns.age, count(Person.Columns.age), average(Person.Columns.score), max(Person.Columns.score)
            )
            return try Row.fetchAll(database, groups.group(Person.Columns.age)).reduce(0) { digest, row in
                digest &+ AgeGroup.digest(age: row[0], count: row[1], average: row[2], maximum: row[3])
            }
        }
    }

    func digestOfFamilies() throws -> Int {
        try queue.read { database in
            let families = try Parent.including(all: Parent.children).asRequest(of: Family.self).fetchAll(database)
            return families.reduce(0) { digest, family in
                family.children.reduce(digest &+ family.parent.name.utf8.count) {
                    $0 &+ $1.name.utf8.count &+ $1.value
                }
            }
        }
    }
}
