import Coffer
import Foundation

extension CofferPeer {
    func allPeople() throws -> [Person] { try stack.fetchAll(From<Person>()) }

    func followPeople() throws -> any FollowedPeople { CofferFollowedPeople(stack) }

    func digestOfPeople() throws -> Int {
        try stack.fetchAll(From<Person>()).digest
    }

    func digestOfItems() throws -> Int {
        try stack.fetchAll(From<Item>()).digest
    }

    func digestOfPeople(olderThan age: Int, limit: Int) throws -> Int {
        let people = From<Person>().where(\.$age > age).orderBy(.ascending(\.$name)).tweak { $0.fetchLimit = limit }
        return try stack.fetchAll(people).digest
    }

    func identifiers() throws -> [ObjectID] {
        try stack.fetchObjectIDs(From<Person>().orderBy(.ascending(\.$createdAt)))
    }

    func digestOfPeople(_ identifiers: [ObjectID]) throws -> Int {
        try stack.perform(synchronous: { transaction in
            identifiers.reduce(0) { digest, identifier in
                let person: Person? = transaction.fetchExisting(identifier)
                return digest &+ (person?.digest ?? 0)
            }
        })
    }

    func digestOfPeople(withEmails emails: [String]) throws -> Int {
        try stack.perform(synchronous: { transaction in
            try emails.reduce(0) { digest, email in
                let person = try transaction.fetchOne(From<Person>().where { $0.$email == email })
                return digest &+ (person?.digest ?? 0)
            }
        })
    }

    func digestOfAgeGroups() throws -> Int {
        let groups = From<Person>()
            .select(
                NSDictionary.self, .attribute(\.$age), .count(\.$age, as: "count"),
                .average(\.$score, as: "average"), .maximum(\.$score, as: "maximum")
            )
            .groupBy(\.$age)
        return try stack.queryAttributes(groups).reduce(0) { digest, row in
            digest
                &+ AgeGroup.digest(
                    age: row.number("age").intValue, count: row.number("count").intValue,
                    average: row.number("average").doubleValue, maximum: row.number("maximum").doubleValue
                )
        }
    }

    /// A plain loop; each transaction has its own objects, so every call reads from the database again.
    func digestOfFamilies() throws -> Int {
        try stack.perform(synchronous: { transaction in
            var digest = 0
            for parent in try transaction.fetchAll(From<Parent>()) {
                digest &+= parent.name.utf8.count
                for child in parent.children {
                    digest &+= child.name.utf8.count &+ child.value
                }
            }
            return digest
        })
    }

    func tally() throws -> Tally {
        let score = try stack.queryValue(From<Person>().select(Double.self, .sum(\.$score)))
        return Tally(count: try stack.fetchCount(From<Person>()), score: score ?? 0)
    }
}

extension [String: Any] {
    fileprivate func number(_ key: String) -> NSNumber {
        self[key] as? NSNumber ?? 0
    }
}
