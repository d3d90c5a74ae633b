import Coffer
import CofferStorage
import CofferStorageTools
import CofferTransactions
import TestSupport
import Testing

private typealias Item = Depot.Item

private final class Letter: CoreStoreObject {
    @Field.Stored("number") var number: Int = 0
    @Field.Stored("text") var text: String = ""
    @Field.Virtual("draft") var draft: String?
}

/// Pending relationships of unsafe transactions, and commits of other transactions that concern the same objects.
@MainActor
struct ConcurrentRelationTests {
    /// A stack with items numbered from 1, a box, a shelf and a tag.
    private func make(_ backend: TestBackend) throws -> TestStack {
        let test = try TestStack(backend, Depot.schema)
        try test.stack.perform(synchronous: { transaction in
            for number in 1...4 { transaction.create(Into<Item>()).number = number }
            transaction.create(Into<Depot.Box>()).number = 1
            transaction.create(Into<Depot.Shelf>()).number = 1
            transaction.create(Into<Depot.Tag>()).number = 1
        })
        return test
    }

    private func item(_ number: Int, _ source: any FetchableSource) throws -> Item {
        try #require(try source.fetchOne(From<Item>().where(\.$number == number)))
    }

    private func box(_ source: any FetchableSource) throws -> Depot.Box {
        try #require(try source.fetchOne(From<Depot.Box>()))
    }

    private func shelf(_ source: any FetchableSource) throws -> Depot.Shelf {
        try #require(try source.fetchOne(From<Depot.Shelf>()))
    }

    private func problems(_ test: TestStack) throws -> [StoreProblem] {
        try test.stack._graph.stores.flatMap { try $0.storage.problems($0.layout) }
    }

    @Test(.pins("TX-28"), arguments: TestBackend.allCases, [false, true])
    func `redo does not add a link that another transaction added and removed after the undo`(
        _ backend: TestBackend, isOrdered: Bool
    ) throws {
        let test = try make(backend)
        func set(_ members: [Int], _ source: some FetchableSource) throws {
            let objects = try members.map { try item($0, source) }
            if isOrdered { try item(1, source).likes = objects } else { try item(1, source).friends = Set(objects) }
        }
        let unsafe = test.stack.beginUnsafe(supportsUndo: true)
        let own = try item(1, unsafe)
        func members() -> [Int] { (isOrdered ? own.likes : Array(own.friends)).map(\.number).sorted() }
        try unsafe.flush { try set([2], unsafe) }
        unsafe.undo()
        try test.stack.perform(synchronous: { try set([2, 3], $0) })
        unsafe.refreshAndMergeAllObjects()
        #expect(members() == [2, 3])
        try test.stack.perform(synchronous: { try set([], $0) })
        unsafe.refreshAndMergeAllObjects()
        #expect(members() == [])
        unsafe.redo()
        #expect(members() == [])
        try unsafe.commitAndWait()
        #expect(try test.stack.read { try item(1, $0).likes.count + item(1, $0).friends.count } == 0)
    }

    @Test(.pins("TX-28"), arguments: TestBackend.allCases)
    func `redo does not remove a link that another transaction removed and added after the undo`(
        _ backend: TestBackend
    ) throws {
        let test = try make(backend)
        try test.stack.perform(synchronous: { try item(1, $0).friends = [try item(2, $0)] })
        let unsafe = test.stack.beginUnsafe(supportsUndo: true)
        let own = try item(1, unsafe)
        unsafe.flush { own.friends = [] }
        unsafe.undo()
        for members in [[], [2]] {
            try test.stack.perform(synchronous: { transaction in
                try item(1, transaction).friends = Set(members.map { try item($0, transaction) })
            })
            unsafe.refreshAndMergeAllObjects()
            #expect(own.friends.map(\.number) == members)
        }
        unsafe.redo()
        #expect(own.friends.map(\.number) == [2])
    }

    @Test(.pins("TX-28"), arguments: TestBackend.allCases)
    func `undo does not restore an ordered member that another transaction also removed`(_ backend: TestBackend) throws
    {
        let test = try make(backend)
        func set(_ members: [Int], _ source: some FetchableSource) throws {
            try item(1, source).likes = try members.map { try item($0, source) }
        }
        try test.stack.perform(synchronous: { try set([2, 3], $0) })
        let unsafe = test.stack.beginUnsafe(supportsUndo: true)
        let own = try item(1, unsafe)
        try unsafe.flush { try set([2, 4, 3], unsafe) }
        try unsafe.flush { try set([2, 4], unsafe) }
        try test.stack.perform(synchronous: { try set([2], $0) })
        unsafe.refreshAndMergeAllObjects()
        #expect(own.likes.map(\.number) == [2, 4])
        unsafe.undo()
        #expect(own.likes.map(\.number) == [2, 4])
        try unsafe.commitAndWait()
        #expect(try test.stack.read { try item(1, $0).likes.map(\.number) } == [2, 4])
    }

    @Test(.pins("TX-28"), arguments: TestBackend.allCases)
    func `a failed commit keeps the undo and redo history`(_ backend: TestBackend) throws {
        let test = try make(backend)
        let unsafe = test.stack.beginUnsafe(supportsUndo: true)
        let (own, doomed) = (try item(1, unsafe), try item(3, unsafe))
        let doomedBox = try box(unsafe)
        unsafe.flush { unsafe.delete(doomedBox) }
        unsafe.flush {
            own.title = "new"
            doomed.value = 9
        }
        // The commit deletes item 2 with its box before it finds that item 3 no longer exists.
        try test.stack.perform(synchronous: { transaction in
            try item(2, transaction).box = try box(transaction)
            transaction.delete(try item(3, transaction))
        })
        #expect(throws: CoreStoreError.self) { try unsafe.commitAndWait() }
        unsafe.undo()
        #expect(own.title == nil && doomedBox.isDeleted)
        unsafe.redo()
        #expect(own.title == "new" && doomedBox.isDeleted)
        unsafe.undo()
        unsafe.undo()
        #expect(!doomedBox.isDeleted)
    }

    @Test(.pins("FLD-44"), arguments: TestBackend.allCases, [false, true])
    func `a deletion is not refused for a relationship that another transaction has ended`(
        _ backend: TestBackend, isLookedAt: Bool
    ) throws {
        let test = try make(backend)
        try test.stack.perform(synchronous: { try item(1, $0).shelf = try shelf($0) })
        let unsafe = test.stack.beginUnsafe()
        let doomed = try shelf(unsafe)
        if isLookedAt { #expect(doomed.items.map(\.number) == [1]) }
        unsafe.delete(doomed)
        #expect(throws: CoreStoreError.self) { try unsafe.commitAndWait() }
        try test.stack.perform(synchronous: { try item(1, $0).shelf = nil })
        try unsafe.commitAndWait()
        #expect(try test.stack.fetchCount(From<Depot.Shelf>()) == 0)
        #expect(try problems(test) == [])
    }

    @Test(.pins("FLD-44"), arguments: TestBackend.allCases)
    func `a deletion is refused while the transaction's own objects reference the deleted object`(
        _ backend: TestBackend
    ) throws {
        let test = try make(backend)
        let unsafe = test.stack.beginUnsafe()
        let doomed = try shelf(unsafe)
        let (own, new) = (try item(1, unsafe), unsafe.create(Into<Item>()))
        own.shelf = doomed
        new.shelf = doomed
        unsafe.delete(doomed)
        try test.stack.perform(synchronous: { try item(2, $0).value = 1 })
        #expect(throws: CoreStoreError.self) { try unsafe.commitAndWait() }
        own.shelf = nil
        #expect(throws: CoreStoreError.self) { try unsafe.commitAndWait() }
        new.shelf = nil
        try unsafe.commitAndWait()
        #expect(try test.stack.fetchCount(From<Depot.Shelf>()) == 0)
    }

    @Test(.pins("TX-46"), arguments: TestBackend.allCases, [false, true])
    func `ending an old one-to-one relationship keeps a new one that another transaction saved`(
        _ backend: TestBackend, isDeleted: Bool
    ) throws {
        let test = try make(backend)
        try test.stack.perform(synchronous: { try item(1, $0).partner = try item(2, $0) })
        let unsafe = test.stack.beginUnsafe()
        let one = try item(1, unsafe)
        #expect(one.partner?.number == 2)
        try test.stack.perform(synchronous: { try item(3, $0).partner = try item(2, $0) })
        // Fetching refreshes item 2 alone.
        _ = try item(2, unsafe)
        if isDeleted { unsafe.delete(one) } else { one.partner = nil }
        try unsafe.commitAndWait()
        #expect(try test.stack.read { try item(3, $0).partner?.number } == 2)
        #expect(try test.stack.read { try item(2, $0).partnerOf?.number } == 3)
        #expect(try problems(test) == [])
    }

    @Test(.pins("TX-46"), arguments: TestBackend.allCases)
    func `a refresh resolves the conflict over a member that another transaction deleted`(
        _ backend: TestBackend
    ) throws {
        let test = try make(backend)
        let unsafe = test.stack.beginUnsafe(conflictPolicy: .throwOnConflict)
        let own = try item(1, unsafe)
        own.likes = try [2, 3].map { try item($0, unsafe) }
        try test.stack.perform(synchronous: { $0.delete(try item(3, $0)) })
        unsafe.refreshAndMergeAllObjects()
        #expect(own.likes.map(\.number) == [2])
        try unsafe.commitAndWait()
        #expect(try test.stack.read { try item(1, $0).likes.map(\.number) } == [2])
        #expect(try problems(test) == [])
    }

    @Test(.pins("FLD-20"), arguments: TestBackend.allCases)
    func `a failed commit keeps the values of virtual fields`(_ backend: TestBackend) throws {
        let test = try TestStack(
            backend, CoreStoreSchema(modelVersion: "V1", entities: [Entity<Letter>("Letter")]))
        try test.stack.perform(synchronous: { transaction in
            for number in 1...2 { transaction.create(Into<Letter>()).number = number }
        })
        func letter(_ number: Int, _ source: any FetchableSource) throws -> Letter {
            try #require(try source.fetchOne(From<Letter>().where(\.$number == number)))
        }
        let unsafe = test.stack.beginUnsafe()
        let (own, doomed) = (try letter(1, unsafe), try letter(2, unsafe))
        own.draft = "Dear"
        own.text = "D"
        doomed.text = "E"
        try test.stack.perform(synchronous: { $0.delete(try letter(2, $0)) })
        #expect(throws: CoreStoreError.self) { try unsafe.commitAndWait() }
        #expect(own.draft == "Dear" && own.text == "D")
    }
}
