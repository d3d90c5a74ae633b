import Coffer
import Foundation

/// Coffer as its README introduces it: objects, typed clauses, one data stack.
final class CofferPeer<Backend: CofferBackend>: Peer {
    typealias Person = CofferModel.Person
    typealias Item = CofferModel.Item
    typealias Parent = CofferModel.Parent
    typealias Child = CofferModel.Child

    static var name: String { Backend.name }
    static var keepsFiles: Bool { Backend.keepsFiles }

    let stack: DataStack
    private let directory: URL

    init(in directory: URL) throws {
        self.directory = directory
        stack = DataStack(CofferModel.schema())
        try Backend.addStorage(to: stack, in: directory)
    }

    func settle() throws { try Backend.settle(stack, in: directory) }

    func insert(_ people: [PersonSample]) throws -> [Person] {
        try stack.perform(synchronous: { transaction in
            people.map { sample in
                let person = transaction.create(Into<Person>())
                person.fill(from: sample)
                return person
            }
        })
    }

    func insert(_ items: [ItemSample]) throws -> [Item] {
        try stack.perform(synchronous: { transaction in
            items.map { sample in
                let item = transaction.create(Into<Item>())
                item.fill(from: sample)
                return item
            }
        })
    }

    func insert(_ families: [FamilySample]) throws {
        try stack.perform(synchronous: { transaction in
            let parents = families.map { family in
                let parent = transaction.create(Into<Parent>())
                parent.name = family.name
                return parent
            }
            for (parent, sample) in families.interleavedChildren {
                let child = transaction.create(Into<Child>())
                child.name = sample.name
                child.value = sample.value
                child.parent = parents[parent]
            }
        })
    }

    func insertAlone(_ person: PersonSample) throws {
        try stack.perform(synchronous: { transaction in
            transaction.create(Into<Person>()).fill(from: person)
        })
    }

    func addToScore(_ points: Double, ofPeopleYoungerThan age: Int) throws {
        try stack.perform(synchronous: { transaction in
            for person in try transaction.fetchAll(From<Person>().where(\.$age < age)) {
                person.score += points
            }
        })
    }

    func importPeople(_ samples: [PersonSample]) throws {
        try stack.perform(synchronous: { transaction in
            _ = try transaction.importUniqueObjects(Into<Person>(), sourceArray: samples)
        })
    }

    func upsertPeople(_ samples: [PersonSample]) throws {
        try stack.perform(synchronous: { transaction in
            for sample in samples { transaction.create(Into<Person>()).fill(from: sample) }
        })
    }

    func deletePeople(youngerThan age: Int) throws {
        try stack.perform(synchronous: { transaction in
            for person in try transaction.fetchAll(From<Person>().where(\.$age < age)) {
                transaction.delete(person)
            }
        })
    }
}
