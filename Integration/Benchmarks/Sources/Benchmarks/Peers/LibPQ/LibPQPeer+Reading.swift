import Foundation

extension LibPQPeer {
    func allPeople() throws -> [Person] { try fetchPeople(people.run()) }

    func followPeople() throws -> any FollowedPeople { try LibPQFollowedPeople(self) }

    func digestOfPeople() throws -> Int { try fetchPeople(people.run()).digest }

    func digestOfItems() throws -> Int {
        let rows = try items.run()
        return (0..<rows.rowCount).map { Item(rows, $0) }.digest
    }

    func digestOfPeople(olderThan age: Int, limit: Int) throws -> Int {
        try fetchPeople(older.run(LibPQParameters(age, limit))).digest
    }

    func identifiers() throws -> [Int] {
        let rows = try connection.prepare(SQLSchema.selectIdentifiers).run()
        return (0..<rows.rowCount).map { rows.integer($0, 0) }
    }

    func digestOfPeople(_ identifiers: [Int]) throws -> Int {
        try connection.transaction {
            var digest = 0
            for identifier in identifiers {
                let rows = try person.run(LibPQParameters(identifier))
                for row in 0..<rows.rowCount { digest &+= Person(rows, row).digest }
            }
            return digest
        }
    }

    func digestOfPeople(withEmails emails: [String]) throws -> Int {
        let person = try connection.prepare("\(SQLSchema.selectPeople) WHERE email = $1")
        return try connection.transaction {
            var digest = 0
            for email in emails {
                var parameters = LibPQParameters()
                parameters.append(email)
                let rows = try person.run(parameters)
                for row in 0..<rows.rowCount { digest &+= Person(rows, row).digest }
            }
            return digest
        }
    }

    func digestOfAgeGroups() throws -> Int {
        let rows = try ageGroups.run()
        return (0..<rows.rowCount).reduce(0) { digest, row in
            digest
                &+ AgeGroup.digest(
                    age: rows.integer(row, 0), count: rows.integer(row, 1), average: rows.double(row, 2),
                    maximum: rows.double(row, 3))
        }
    }

    func digestOfFamilies() throws -> Int {
        let (parents, children) = (try parents.run(), try children.run())
        let found = (0..<parents.rowCount).map { Parent(parents, $0) }
        let byKey = Dictionary(found.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for row in 0..<children.rowCount { byKey[children.integer(row, 1)]?.children.append(Child(children, row)) }
        return found.reduce(0) { digest, parent in
            parent.children.reduce(digest &+ parent.name.utf8.count) { $0 &+ $1.name.utf8.count &+ $1.value }
        }
    }

    private typealias Parent = RawPeer.Parent
    private typealias Child = RawPeer.Child

    @inline(__always)
    func fetchPeople(_ rows: LibPQResult) throws -> [Person] { (0..<rows.rowCount).map { Person(rows, $0) } }
}

extension RawPeer.Person {
    @inline(__always)
    convenience init(_ rows: LibPQResult, _ row: Int32) {
        self.init(
            id: rows.integer(row, 0), name: rows.text(row, 1), email: rows.text(row, 2), age: rows.integer(row, 3),
            score: rows.double(row, 4), active: rows.boolean(row, 5),
            createdAt: Date(timeIntervalSince1970: rows.double(row, 6)), bio: rows.textOrNil(row, 7))
    }
}

extension RawPeer.Item {
    @inline(__always)
    convenience init(_ rows: LibPQResult, _ row: Int32) {
        self.init(id: rows.integer(row, 0), values: { rows.integer(row, $0) })
    }
}

extension RawPeer.Parent {
    @inline(__always)
    convenience init(_ rows: LibPQResult, _ row: Int32) { self.init(id: rows.integer(row, 0), name: rows.text(row, 1)) }
}

extension RawPeer.Child {
    @inline(__always)
    convenience init(_ rows: LibPQResult, _ row: Int32) {
        self.init(id: rows.integer(row, 0), name: rows.text(row, 2), value: rows.integer(row, 3))
    }
}
