import Coffer
import CofferSQLite
import CofferStorage
import Foundation
import TestSupport
import Testing

private final class Parent: CoreStoreObject {
    @Field.Stored("number") var number: Int = 0
    @Field.Relationship("children", inverse: \.$parent) var children: [Child]
    @Field.Relationship("tags", inverse: \.$parents) var tags: Set<Tag>
}

private final class Child: CoreStoreObject {
    @Field.Stored("number") var number: Int = 0
    @Field.Relationship("parent") var parent: Parent?
}

private final class Tag: CoreStoreObject {
    @Field.Stored("name") var name: String = ""
    @Field.Relationship("parents") var parents: Set<Parent>
}

private let schema = CoreStoreSchema(
    modelVersion: "V1", entities: [Entity<Parent>("Parent"), Entity<Child>("Child"), Entity<Tag>("Tag")]
)

/// Loops over objects and their related objects; the number of requests does not depend on the number of objects.
@MainActor
struct BatchFaultingTests {
    private func fill(_ stack: DataStack, parents: Int) throws {
        try stack.perform(synchronous: { transaction in
            let tags = (0..<3).map { _ in transaction.create(Into<Tag>()) }
            for number in 0..<parents {
                let parent = transaction.create(Into<Parent>())
                parent.number = number
                parent.tags = [tags[number % 3]]
                parent.children = (0..<3).map { index in
                    let child = transaction.create(Into<Child>())
                    child.number = number * 3 + index
                    return child
                }
            }
        })
    }

    private func sum(_ parents: [Parent]) -> Int {
        var sum = 0
        for parent in parents {
            for child in parent.children { sum += child.number }
        }
        return sum
    }

    @Test(.pins("TX-30"), arguments: TestBackend.allCases)
    func `a loop over 1,000 parents and their children makes two requests`(_ backend: TestBackend) throws {
        let probed = try ProbedStack(backend, schema)
        try fill(probed.stack, parents: 1000)
        let total = 3000 * 2999 / 2
        _ = probed.store.takeRequests()
        #expect(sum(try probed.stack.fetchAll(From<Parent>())) == total)
        #expect(probed.store.takeRequests() == ["rows Parent", "related Parent.children of 1000"])
        try probed.stack.perform(synchronous: { transaction in
            let parents = try transaction.fetchAll(From<Parent>())
            #expect(sum(parents) == total)
        })
        #expect(probed.store.takeRequests() == ["rows Parent", "related Parent.children of 1000"])
        try probed.stack.read({ reading in
            let parents = try reading.fetchAll(From<Parent>().where(\.$number < 500))
            #expect(sum(parents) == 1500 * 1499 / 2)
        })
        #expect(probed.store.takeRequests() == ["rows Parent", "related Parent.children of 500"])
    }

    @Test(.pins("TX-30"), arguments: TestBackend.allCases)
    func `a loop over 10,000 parents makes two requests although unreferenced objects are released`(
        _ backend: TestBackend
    ) throws {
        let probed = try ProbedStack(backend, schema)
        try fill(probed.stack, parents: 10000)
        _ = probed.store.takeRequests()
        let total = 30000 * 29999 / 2
        #expect(sum(try probed.stack.fetchAll(From<Parent>())) == total)
        #expect(probed.store.takeRequests() == ["rows Parent", "related Parent.children of 10000"])
    }

    @Test(.pins("TX-30"), arguments: TestBackend.allCases)
    func `each to-one relationship of many objects loads with one request`(_ backend: TestBackend) throws {
        let probed = try ProbedStack(backend, schema)
        try fill(probed.stack, parents: 1000)
        _ = probed.store.takeRequests()
        let children = try probed.stack.fetchAll(From<Child>())
        let sum = children.reduce(0) { $0 + ($1.parent?.number ?? 0) }
        #expect(sum == 3 * 1000 * 999 / 2)
        #expect(probed.store.takeRequests() == ["rows Child", "1000 rows Parent"])
        let tags = Set(children.compactMap(\.parent).flatMap(\.tags))
        #expect(tags.count == 3)
        #expect(probed.store.takeRequests() == ["related Parent.tags of 1000"])
        let siblings = children[0].parent?.tags.first?.parents
        #expect(siblings?.count == 334)
        #expect(probed.store.takeRequests() == ["related Tag.parents of 3"])
    }

    @Test(.pins("TX-30"), arguments: TestBackend.allCases)
    func `individually fetched objects load a relationship with one request after a joint fetch`(
        _ backend: TestBackend
    ) throws {
        let probed = try ProbedStack(backend, schema)
        try fill(probed.stack, parents: 50)
        let ids = try probed.stack.fetchObjectIDs(From<Parent>())
        let single = ids.compactMap { probed.stack.fetchExisting($0) as Parent? }
        _ = probed.store.takeRequests()
        let parents = try probed.stack.fetchAll(From<Parent>())
        #expect(sum(parents) == 150 * 149 / 2)
        #expect(single.count == 50)
        #expect(probed.store.takeRequests() == ["rows Parent", "related Parent.children of 50"])
        let again: [Parent] = probed.stack.fetchExisting(ids)
        #expect(again == parents)
        #expect(probed.store.takeRequests() == [])
    }

    @Test(.pins("TX-30"), arguments: TestBackend.allCases)
    func `after a merge, only the changed relationship is loaded again, with one request`(
        _ backend: TestBackend
    ) throws {
        let probed = try ProbedStack(backend, schema)
        try fill(probed.stack, parents: 100)
        let parents = try probed.stack.fetchAll(From<Parent>().orderBy(.ascending(\.$number)))
        #expect(sum(parents) == 300 * 299 / 2)
        #expect(parents.allSatisfy { !$0.tags.isEmpty })
        try probed.stack.perform(synchronous: { transaction in
            transaction.edit(parents[0])?.number = -1
        })
        _ = probed.store.takeRequests()
        #expect(sum(parents) == 300 * 299 / 2)
        #expect(probed.store.takeRequests() == [])
        try probed.stack.perform(synchronous: { transaction in
            let child = transaction.create(Into<Child>())
            child.number = 7
            child.parent = transaction.edit(parents[0])
        })
        _ = probed.store.takeRequests()
        #expect(sum(parents) == 300 * 299 / 2 + 7)
        #expect(parents.allSatisfy { $0.tags.count == 1 })
        #expect(probed.store.takeRequests() == ["related Parent.children of 100"])
    }

    @Test(.pins("TX-30")) func `SQLite reads 1,000 parents and their children with two statements and one COUNT`()
        throws
    {
        let directory = try TestStack.makeDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        let statements = Locked<[String]>([])
        let settings = SQLiteConfiguration(onStatement: { text in statements.withLock { $0.append(text) } })
        let stack = DataStack(schema)
        try stack.addStorageAndWait(
            SQLiteStore(fileURL: directory.appending(path: "loop.sqlite"), settings: settings)
        )
        defer { stack.unsafeRemoveAllPersistentStoresAndWait() }
        try fill(stack, parents: 1000)
        statements.withLock { $0 = [] }
        #expect(sum(try stack.fetchAll(From<Parent>())) == 3000 * 2999 / 2)
        let selects = statements.withLock { $0.filter { $0.hasPrefix("SELECT") } }
        #expect(selects.count { !$0.contains("COUNT(*)") } == 2)
        #expect(selects.count == 3)
    }
}
