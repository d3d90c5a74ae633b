import Coffer
import TestSupport
import Testing

private final class Box: CoreStoreObject {
    @Field.Stored("n") var n: Int = 0
    @Field.Relationship("items", inverse: \.$box) var items: Set<Item>
}

private final class Item: CoreStoreObject {
    @Field.Stored("n") var n: Int = 0
    @Field.Stored("s") var s: String = "a"
    @Field.Relationship("box") var box: Box?
}

/// The values that an unsafe transaction reads and keeps after others have saved changes.
@MainActor
struct OvertakenReadTests {
    private static let schema = CoreStoreSchema(
        modelVersion: "V1", entities: [Entity<Box>("Box"), Entity<Item>("Item")])

    /// Returns a stack with two boxes (n = 1), an item in the first box (n = 10), and an item in no box (n = 11).
    private func make(_ backend: TestBackend) throws -> TestStack {
        let test = try TestStack(backend, Self.schema)
        try test.stack.perform(synchronous: { transaction in
            let boxes = (0..<2).map { _ in transaction.create(Into<Box>()) }
            for box in boxes { box.n = 1 }
            let items = [10, 11].map { number in
                let item = transaction.create(Into<Item>())
                item.n = number
                return item
            }
            items[0].box = boxes[0]
        })
        return test
    }

    private func item(_ number: Int, _ source: any FetchableSource) throws -> Item {
        try #require(try source.fetchOne(From<Item>().where(\.$n == number)))
    }

    private func box(_ index: Int, _ source: any FetchableSource) throws -> Box {
        let boxes = try source.fetchAll(From<Box>())
        return try #require(boxes.sorted { $0.objectID().key < $1.objectID().key }.dropFirst(index).first)
    }

    /// How a property is set to its current value.
    enum Setting: CaseIterable {
        case once
        case thereAndBack
        case besideAnotherChange
        case besideALink
    }

    nonisolated private static let settings = TestBackend.allCases.flatMap { backend in
        Setting.allCases.map { (backend, $0) }
    }

    @Test(.pins("TX-46"), arguments: settings, [false, true])
    func `after a refresh, an assignment of the current value does not overwrite saved changes`(
        _ setting: (TestBackend, Setting), _ throwsOnConflict: Bool
    ) throws {
        let test = try make(setting.0)
        let policy = throwsOnConflict ? TransactionOptions.ConflictPolicy.throwOnConflict : .lastWriterWinsPerProperty
        let unsafe = test.stack.beginUnsafe(conflictPolicy: policy)
        let own = try item(11, unsafe)
        if setting.1 == .thereAndBack { own.s = "b" }
        own.s = "a"
        if setting.1 == .besideAnotherChange { own.n = 12 }
        if setting.1 == .besideALink { try box(1, unsafe).items.insert(own) }
        let moved = try item(10, unsafe)
        moved.box = try box(1, unsafe)
        moved.box = try box(0, unsafe)
        try test.stack.perform(synchronous: { transaction in
            try item(11, transaction).s = "c"
            try item(10, transaction).box = try box(1, transaction)
        })
        unsafe.refreshAndMergeAllObjects()
        #expect(own.s == "c")
        try unsafe.commitAndWait()
        #expect(try test.stack.fetchAll(From<Item>().where(\.$s == "c")).count == 1)
        let index = try test.stack.read { try item(10, $0).box == box(1, $0) }
        #expect(index)
    }

    @Test(.pins("TX-46"), arguments: TestBackend.allCases)
    func `after a fetch, an assignment of the current value does not overwrite saved changes`(
        _ backend: TestBackend
    ) throws {
        let test = try make(backend)
        let unsafe = test.stack.beginUnsafe()
        let own = try item(11, unsafe)
        try box(1, unsafe).items.insert(own)
        own.s = "a"
        try test.stack.perform(synchronous: { try item(11, $0).s = "c" })
        #expect(try item(11, unsafe).box == box(1, unsafe))
        try unsafe.commitAndWait()
        let stored = try test.stack.read { try item(11, $0).s }
        #expect(stored == "c")
    }

    @Test(.pins("TX-44"), arguments: TestBackend.allCases, [false, true])
    func `a child's object exists again when the parent undoes or rolls back its deletion`(
        _ backend: TestBackend, _ isRolledBack: Bool
    ) throws {
        let test = try make(backend)
        let unsafe = test.stack.beginUnsafe(supportsUndo: true)
        let child = unsafe.beginUnsafe(supportsUndo: true)
        let held = try item(11, child)
        let list = child.monitorList(From<Item>().orderBy(.ascending(\.$n)))
        let monitor = child.monitorObject(held)
        unsafe.delete(try item(11, unsafe))
        unsafe.flush()
        child.refreshAndMergeAllObjects()
        #expect(held.isDeleted && list.numberOfObjects() == 1 && monitor.isObjectDeleted)
        if isRolledBack { unsafe.rollback() } else { unsafe.undo() }
        child.flush()
        #expect(!held.isDeleted && list.numberOfObjects() == 2 && monitor.object === held)
        let own = try item(11, child)
        let found: Item? = child.fetchExisting(held.objectID())
        #expect(own === held && found === held)
        own.s = "new"
        try child.commitAndWait()
        try unsafe.commitAndWait()
        let stored = try test.stack.read { try item(11, $0).s }
        #expect(stored == "new")
    }

    @Test(.pins("TX-46"), arguments: TestBackend.allCases, [2, 40])
    func `a condition through a relationship uses stored values of unchanged related objects`(
        _ backend: TestBackend, _ count: Int
    ) throws {
        let test = try make(backend)
        try test.stack.perform(synchronous: { transaction in
            for _ in 2..<count { transaction.create(Into<Item>()).box = transaction.create(Into<Box>()) }
        })
        let unsafe = test.stack.beginUnsafe()
        let list = unsafe.monitorList(From<Item>().where { ($0.$box ~ \.$n) > 2 }.orderBy(.ascending(\.$n)))
        let members = From<Box>().where { ($0.$items ~ \.$n).any() > 10 }
        let first = try item(10, unsafe)
        #expect(first.box?.n == 1)
        for own in try unsafe.fetchAll(From<Item>()) { #expect(own.box?.n != 2) }
        try item(11, unsafe).box = box(1, unsafe)
        try test.stack.perform(synchronous: { transaction in
            try box(0, transaction).n = 5
            try item(10, transaction).n = 20
        })
        unsafe.flush()
        #expect(list.objectsInAllSections().map(\.n) == [20])
        #expect(try unsafe.fetchAll(From<Item>().where { ($0.$box ~ \.$n) > 2 }) == [first])
        #expect(try unsafe.fetchCount(members) == 2)
    }

    @Test(.pins("TX-46"), arguments: TestBackend.allCases)
    func `a fetch and a list monitor use the same values that the objects show`(_ backend: TestBackend) throws {
        let test = try make(backend)
        let unsafe = test.stack.beginUnsafe()
        let list = unsafe.monitorList(From<Item>().where(\.$n >= 10).orderBy(.ascending(\.$n)))
        let own = try item(11, unsafe)
        try box(1, unsafe).items.insert(own)
        unsafe.flush()
        try test.stack.perform(synchronous: { try item(11, $0).n = 1 })
        unsafe.flush()
        #expect(own.n == 1)
        #expect(list.objectsInAllSections().map(\.n) == [10])
        #expect(try unsafe.fetchAll(From<Item>().where(\.$n >= 10)).map(\.n) == [10])
    }

    @Test(.pins("TX-46"), arguments: TestBackend.allCases)
    func `a list monitor and a fetch show both sides of a relationship consistently`(_ backend: TestBackend) throws {
        let test = try make(backend)
        let unsafe = test.stack.beginUnsafe()
        let full = From<Box>().where { $0.$items.count() >= 1 }.orderBy(.ascending(\.$n))
        let list = unsafe.monitorList(full)
        let own = try item(11, unsafe)
        let second = try box(1, unsafe)
        unsafe.flush { second.items = [own] }
        try test.stack.perform(synchronous: { try item(11, $0).box = try box(1, $0) })
        unsafe.flush()
        try test.stack.perform(synchronous: { try box(0, $0).items.insert(try item(11, $0)) })
        unsafe.flush()
        let first = try box(0, unsafe)
        // A value that others have saved too is no longer a change of this transaction.
        #expect(list.objectsInAllSections() == [first])
        #expect(try unsafe.fetchAll(full) == [first])
        #expect(second.items.isEmpty && own.box == first && first.items.count == 2)
        try unsafe.commitAndWait()
        let isThere = try test.stack.read { try item(11, $0).box == box(0, $0) }
        #expect(isThere)
    }
}
