import Coffer
import CofferTransactions
import TestSupport
import Testing

private final class Palette: CoreStoreObject {
    @Field.Stored("hue", customSetter: Palette.setHue) var hue: Int = 0
    @Field.Stored("owner") var owner: String = ""
    @Field.Virtual("name", customGetter: Palette.name) var name: String
    @Field.Virtual(
        "note", customGetter: { _, field in field.primitiveValue ?? "" },
        customSetter: { _, field, note in field.primitiveValue = note })
    var note: String

    static func setHue(_ object: ObjectProxy<Palette>, _ field: ObjectProxy<Palette>.FieldProxy<Int>, _ hue: Int) {
        field.primitiveValue = hue
        object.$name.primitiveValue = nil
    }

    static func name(_ object: ObjectProxy<Palette>, _ field: ObjectProxy<Palette>.FieldProxy<String>) -> String {
        if let known = field.primitiveValue { return known }
        let name = object.$hue.value < 100 ? "Red" : object.$hue.value < 200 ? "Green" : "Blue"
        field.primitiveValue = name
        return name
    }
}

private let schema = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Palette>("Palette")])

/// Values that getters of virtual fields cache, in transactions.
@MainActor
struct VirtualMemoTests {
    private func make(_ backend: TestBackend) throws -> (TestStack, UnsafeDataTransaction, Palette) {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { $0.create(Into<Palette>()).hue = 210 })
        let unsafe = test.stack.beginUnsafe(supportsUndo: true)
        let own = try #require(try unsafe.fetchOne(From<Palette>()))
        #expect(own.name == "Blue")
        return (test, unsafe, own)
    }

    private func change(_ hue: Int, _ test: TestStack) throws {
        try test.stack.perform(synchronous: { try $0.fetchOne(From<Palette>())?.hue = hue })
    }

    @Test(.pins("FLD-22"), arguments: TestBackend.allCases)
    func `a fetch or refresh recomputes cached virtual values in a transaction`(_ backend: TestBackend) throws {
        let (test, unsafe, own) = try make(backend)
        try change(20, test)
        #expect(own.hue == 210 && own.name == "Blue")
        _ = try unsafe.fetchAll(From<Palette>())
        #expect(own.hue == 20 && own.name == "Red")
        own.note = "mine"
        try change(120, test)
        unsafe.refreshAndMergeAllObjects()
        #expect(own.hue == 120 && own.name == "Green")
        #expect(own.note == "mine")
    }

    @Test(.pins("FLD-22"), arguments: TestBackend.allCases)
    func `a refresh without undo recomputes cached virtual values, also of changed objects`(
        _ backend: TestBackend
    ) throws {
        let (test, _, _) = try make(backend)
        let unsafe = test.stack.beginUnsafe()
        let own = try #require(try unsafe.fetchOne(From<Palette>()))
        #expect(own.name == "Blue")
        try change(20, test)
        own.refreshAndMerge()
        #expect(own.hue == 20 && own.name == "Red")
        own.owner = "Ann"
        try change(120, test)
        unsafe.refreshAndMergeAllObjects()
        #expect(own.hue == 120 && own.name == "Green")
        #expect(own.owner == "Ann")
    }

    @Test(.pins("FLD-22"), arguments: TestBackend.allCases)
    func `undo and redo recompute cached virtual values`(_ backend: TestBackend) throws {
        let (test, unsafe, own) = try make(backend)
        unsafe.flush { own.hue = 20 }
        #expect(own.name == "Red")
        unsafe.undo()
        #expect(own.hue == 210 && own.name == "Blue")
        unsafe.redo()
        #expect(own.hue == 20 && own.name == "Red")
        withExtendedLifetime(test) {}
    }

    @Test(.pins("FLD-22"), arguments: TestBackend.allCases)
    func `a child's commit recomputes cached virtual values in its parent`(_ backend: TestBackend) throws {
        let (test, unsafe, own) = try make(backend)
        let child = unsafe.beginUnsafe()
        try child.fetchOne(From<Palette>())?.hue = 120
        try child.commitAndWait()
        #expect(own.hue == 120 && own.name == "Green")
        withExtendedLifetime(test) {}
    }

    @Test(.pins("FLD-22"), arguments: TestBackend.allCases)
    func `after its commit, a child recomputes cached virtual values from its parent's values`(
        _ backend: TestBackend
    ) throws {
        let (test, unsafe, own) = try make(backend)
        let child = unsafe.beginUnsafe()
        let copy = try #require(try child.fetchOne(From<Palette>()))
        #expect(copy.name == "Blue")
        own.hue = 20
        copy.owner = "Ann"
        try child.commitAndWait()
        #expect(copy.hue == 20 && copy.name == "Red")
        #expect(own.owner == "Ann")
        withExtendedLifetime(test) {}
    }

    @Test(.pins("FLD-22"), arguments: TestBackend.persistent)
    func `a fetch that refreshes recomputes cached virtual values after another stack's commit`(
        _ backend: TestBackend
    ) throws {
        let (test, _, _) = try make(backend)
        let live = try #require(try test.stack.fetchOne(From<Palette>()))
        #expect(live.name == "Blue")
        let other = DataStack(schema)
        defer { other.unsafeRemoveAllPersistentStoresAndWait() }
        try TestStack.addStore(backend, to: other, in: test.directory)
        try other.perform(synchronous: { try $0.fetchOne(From<Palette>())?.hue = 20 })
        _ = try test.stack.fetchAll(
            From<Palette>(), Tweak { $0.shouldRefreshRefetchedObjects = true })
        #expect(live.hue == 20 && live.name == "Red")
    }

    @Test(.pins("FLD-22"), arguments: TestBackend.persistent)
    func `a commit that merges another stack's changes recomputes cached virtual values`(
        _ backend: TestBackend
    ) throws {
        let (test, unsafe, own) = try make(backend)
        let other = DataStack(schema)
        defer { other.unsafeRemoveAllPersistentStoresAndWait() }
        try TestStack.addStore(backend, to: other, in: test.directory)
        try other.perform(synchronous: { try $0.fetchOne(From<Palette>())?.hue = 20 })
        own.owner = "Ann"
        try unsafe.commitAndWait()
        #expect(own.hue == 20 && own.name == "Red")
    }
}
