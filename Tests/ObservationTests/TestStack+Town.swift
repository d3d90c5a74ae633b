import Coffer
import Foundation
import TestSupport

extension TestStack {
    /// Changes the person with a name.
    func edit(_ name: String, source: Any? = nil, _ change: @escaping (Town.Person) -> Void) throws {
        try stack.perform(
            synchronous: { transaction in
                try transaction.fetchOne(From<Town.Person>().where(\.$name == name)).map(change)
            }, sourceIdentifier: source
        )
    }

    /// Adds a person.
    func add(_ name: String, _ age: Int = 0, city: String? = nil, source: Any? = nil) throws {
        try stack.perform(
            synchronous: { transaction in
                let person = transaction.create(Into<Town.Person>())
                (person.name, person.age, person.city) = (name, age, city)
            }, sourceIdentifier: source
        )
    }

    /// Deletes the person with a name.
    func delete(_ name: String, source: Any? = nil) throws {
        try stack.perform(
            synchronous: { transaction in try transaction.deleteAll(From<Town.Person>().where(\.$name == name)) },
            sourceIdentifier: source
        )
    }

    /// Returns another stack on the same store.
    @MainActor
    func otherStack() throws -> DataStack {
        let other = DataStack(Town.schema)
        if backend == .memory {
            try Self.add(stack._graph.stores[0].storage, to: other)
        } else {
            try Self.addStore(backend, to: other, in: directory)
        }
        return other
    }

    func person(_ name: String) throws -> Town.Person? {
        try stack.fetchOne(From<Town.Person>().where(\.$name == name))
    }
}

extension ListSnapshot where O == Town.Person {
    /// The names of the objects, after the id of their section if it is not empty: "Oslo: Ann Bob, Rome: Cat".
    var text: String {
        sections().map { section in
            let names = section.map { $0.snapshot?.$name ?? "?" }.joined(separator: " ")
            return section.sectionID.isEmpty ? names : "\(section.sectionID): \(names)"
        }.joined(separator: ", ")
    }
}
