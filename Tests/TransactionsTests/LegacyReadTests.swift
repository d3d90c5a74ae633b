import Coffer
import TestSupport
import Testing

@available(*, deprecated)
private final class Shelf: CoreStoreObject {
    let count = Value.Required<Int>("count", initial: 0)
    let books = Relationship.ToManyUnordered<Book>("books", inverse: { $0.shelf })
}

@available(*, deprecated)
private final class Book: CoreStoreObject {
    let title = Value.Required<String>("title", initial: "")
    let shelf = Relationship.ToOne<Shelf>("shelf")
}

@available(*, deprecated)
private let schema = CoreStoreSchema(
    modelVersion: "V1", entities: [Entity<Shelf>("Shelf"), Entity<Book>("Book")])

/// Failed reads of relationships that are declared in the form from before `Field`.
@MainActor
struct LegacyReadTests {
    @available(*, deprecated)
    @Test(.pins("LEG-01"), arguments: TestBackend.allCases)
    func `a relationship that cannot be read fails the transaction`(_ backend: TestBackend) throws {
        let probed = try ProbedStack(backend, schema)
        let stack = probed.stack
        try stack.perform(synchronous: { transaction in
            transaction.create(Into<Book>()).shelf.value = transaction.create(Into<Shelf>())
        })
        let programs: [(SynchronousDataTransaction) throws -> Void] = [
            { transaction in
                let shelf = try transaction.fetchOne(From<Shelf>())
                shelf?.count.value = shelf?.books.value.count ?? 0
            },
            { transaction in
                let book = try transaction.fetchOne(From<Book>())
                if book?.shelf.value == nil { book?.title.value = "lost" }
            },
            { try $0.fetchOne(From<Shelf>())?.books.value = [] },
        ]
        for program in programs {
            probed.store.fail(.read, after: 1)
            let error = #expect(throws: CoreStoreError.self) { try stack.perform(synchronous: { try program($0) }) }
            #expect(error?.description.hasPrefix("failed: The disk is on fire (fetch '") == true)
            #expect(!probed.store.stopFailing(.read))
        }
        let (count, title, isThere) = try stack.read({ reading in
            let shelf = try #require(try reading.fetchOne(From<Shelf>()))
            let book = try #require(try reading.fetchOne(From<Book>()))
            return (shelf.count.value, book.title.value, book.shelf.value == shelf)
        })
        #expect(count == 0)
        #expect(title == "")
        #expect(isThere)
    }
}
