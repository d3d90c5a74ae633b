import Coffer
import TestSupport
import Testing

extension TestStack {
    /// Returns the names of the pets that a fetch finds, sorted unless the order is tested.
    ///
    /// The stack, a transaction and a transaction with pending changes must return the same names.
    func names(
        _ clauses: any FetchClause..., isOrdered: Bool = false, location: SourceLocation = #_sourceLocation
    ) throws -> String {
        func text(_ pets: [Town.Pet]) -> String {
            let names = pets.map(\.name)
            return (isOrdered ? names : names.sorted()).joined(separator: " ")
        }
        let stored = text(try stack.fetchAll(From<Town.Pet>(), clauses))
        let transaction = stack.beginUnsafe()
        let inside = text(try transaction.fetchAll(From<Town.Pet>(), clauses))
        // Every pet and master becomes pending without a different value, so the clauses are evaluated in memory.
        for pet in try transaction.fetchAll(From<Town.Pet>()) { pet.weight += 0 }
        for master in try transaction.fetchAll(From<Town.Person>()) { master.name += "" }
        let pending = text(try transaction.fetchAll(From<Town.Pet>(), clauses))
        #expect(inside == stored, sourceLocation: location)
        #expect(pending == stored, sourceLocation: location)
        #expect(
            try stack.fetchCount(From<Town.Pet>(), clauses)
                == (stored.isEmpty ? 0 : stored.split(separator: " ").count), sourceLocation: location)
        return stored
    }
}
