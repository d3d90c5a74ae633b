import Coffer
import CofferInMemory
import Dispatch
import Foundation
import TestSupport
import Testing

/// The queues on which objects may be read and changed, and the stacks and transactions of objects.
// Serialized: the tests of two backends record messages about one class, and some of them wait.
@MainActor
@Suite(.serialized)
struct ObjectAccessTests {
    // No other test uses these names, by which the recordings find their messages.
    private final class Dunlin: CoreStoreObject {
        @Field.Stored("name") var name: String = "dun"
        @Field.Coded("list", coder: FieldCoders.Json.self) var list: [Int] = [1]
        @Field.Virtual("memo", customGetter: { _, field in field.primitiveValue ?? "none" }) var memo: String
        @Field.Virtual("plain") var plain: Int?
    }

    private let schema = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Dunlin>("Dunlin")])

    @Test(.pins("SCH-02")) func `fields of every kind are refused on a meta object`() {
        let log = RecordingLogger.record("'Dunlin' is a meta object") {
            _ = Where<Dunlin> { dunlin in
                #expect(dunlin.list == [1])
                #expect(dunlin.memo == "none")
                #expect(dunlin.plain == nil)
                dunlin.name = "set"
                dunlin.list = []
                dunlin.plain = 5
                #expect(dunlin.name == "dun" && dunlin.plain == nil)
                return dunlin.$name == "x"
            }
        }
        let text = "'Dunlin' is a meta object: it has key paths but no values."
        #expect(log.assertions == Array(repeating: text, count: 8))
        #expect(log.errors == Array(repeating: "Nothing was changed.", count: 3))
    }

    /// Runs a closure on another thread, and waits for it.
    nonisolated private static func elsewhere(_ body: @escaping @Sendable () -> Void) {
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            body()
            done.signal()
        }
        done.wait()
    }

    @Test(.pins("SCH-04"), arguments: TestBackend.allCases)
    func `objects of a transaction are read and changed on its queue`(_ backend: TestBackend) async throws {
        let test = try TestStack(backend, schema)
        let texts = [
            "'Dunlin' was read outside the queue of its data stack or transaction. Fetch it where you use it.",
            "'Dunlin' was changed outside its transaction's queue.",
        ]
        let synchronous = try RecordingLogger.record("'Dunlin' was ") {
            try test.stack.perform(synchronous: { transaction in
                let dunlin = transaction.create(Into<Dunlin>())
                #expect(dunlin.name == "dun")
                dunlin.name = "one"
                nonisolated(unsafe) let shared = dunlin
                Self.elsewhere { _ = shared.name }
            })
        }
        #expect(synchronous.assertions == [texts[0]])
        let asynchronous = try await RecordingLogger.record("'Dunlin' was ") {
            try await test.stack.async.perform { transaction in
                let dunlin = try #require(try transaction.fetchOne(From<Dunlin>()))
                #expect(dunlin.name == "one")
                nonisolated(unsafe) let shared = dunlin
                Self.elsewhere {
                    _ = shared.name
                    shared.name = "two"
                }
            }
        }
        #expect(asynchronous.assertions == texts)
    }

    @Test(.pins("SCH-04"), arguments: TestBackend.allCases)
    func `reading a field of any kind on another queue logs an assertion and returns the value`(
        _ backend: TestBackend
    ) throws {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { $0.create(Into<Dunlin>()).list = [3] })
        let dunlin = try #require(try test.stack.fetchOne(From<Dunlin>()))
        nonisolated(unsafe) let shared = dunlin
        nonisolated(unsafe) var values: [String] = []
        let log = RecordingLogger.record("'Dunlin' was read") {
            Self.elsewhere { values = [shared.name, "\(shared.list)", shared.memo, "\(shared.plain as Any)"] }
        }
        #expect(values == ["dun", "[3]", "none", "nil"])
        let text = "'Dunlin' was read outside the queue of its data stack or transaction. Fetch it where you use it."
        #expect(log.assertions == Array(repeating: text, count: 4))
    }

    @Test(.pins("SCH-04"), arguments: TestBackend.allCases)
    func `objects of an unsafe transaction are read and changed anywhere`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        let transaction = test.stack.beginUnsafe()
        let dunlin = transaction.create(Into<Dunlin>())
        nonisolated(unsafe) let shared = dunlin
        let log = RecordingLogger.record("'Dunlin' ") {
            Self.elsewhere {
                shared.name += "lin"
                shared.list.append(2)
                shared.plain = 3
            }
        }
        #expect(log.entries == [])
        #expect(dunlin.name == "dunlin" && dunlin.list == [1, 2] && dunlin.plain == 3)
        try transaction.commitAndWait()
        #expect(try test.stack.fetchOne(From<Dunlin>())?.list == [1, 2])
    }

    @Test(.pins("SCH-05"), arguments: TestBackend.allCases)
    func `an object of a stack that was deallocated has no source`(_ backend: TestBackend) throws {
        let directory = try TestStack.makeDirectory()
        defer { TestStack.remove(directory) }
        var stack: DataStack? = DataStack(schema)
        try TestStack.addStore(backend, to: try #require(stack), in: directory)
        try stack?.perform(synchronous: { $0.create(Into<Dunlin>()).name = "kept" })
        let dunlin = try #require(try stack?.fetchOne(From<Dunlin>()))
        #expect(dunlin.fetchSource() === stack && dunlin.querySource() === stack)
        weak let weakStack = stack
        stack = nil
        #expect(weakStack == nil)
        #expect(dunlin.fetchSource() == nil)
        #expect(dunlin.querySource() == nil)
        #expect(dunlin.name == "kept")
    }

    @Test(.pins("SCH-05"), arguments: TestBackend.allCases)
    func `an object of a finished transaction has no source`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        let dunlin = try test.stack.perform(synchronous: { transaction in
            let dunlin = transaction.create(Into<Dunlin>())
            #expect(dunlin.fetchSource() === transaction)
            #expect(dunlin.querySource()?.unsafeContext() == transaction.unsafeContext())
            return dunlin
        })
        #expect(dunlin.fetchSource() == nil)
        #expect(dunlin.querySource() == nil)
    }

    @Test(.pins("SCH-05"), arguments: TestBackend.allCases)
    func `an object of a transaction of any kind has the context of the transaction`(
        _ backend: TestBackend
    ) async throws {
        let test = try TestStack(backend, schema)
        try await test.stack.async.perform { transaction in
            let dunlin = transaction.create(Into<Dunlin>())
            #expect(dunlin.fetchSource() === transaction)
            #expect(dunlin.querySource() === transaction)
            #expect(dunlin.fetchSource()?.unsafeContext() == transaction.unsafeContext())
        }
        let dunlin = try #require(try test.stack.fetchOne(From<Dunlin>()))
        #expect(dunlin.querySource()?.unsafeContext() == test.stack.unsafeContext())
        let parent = test.stack.beginUnsafe()
        let child = parent.beginUnsafe()
        let own = try #require(child.edit(dunlin))
        #expect(own.fetchSource() === child)
        #expect(own.querySource() === child)
        #expect(own.fetchSource()?.unsafeContext() == child.unsafeContext())
        #expect(child.unsafeContext() != parent.unsafeContext())
        #expect(child.unsafeContext() != test.stack.unsafeContext())
    }

    @Test(.pins("SCH-03")) func `meta objects are equal by their class`() throws {
        final class Other: CoreStoreObject {}
        let metas = [Dunlin(asMeta: ()), Dunlin(asMeta: ())]
        #expect(metas[0] !== metas[1] && metas[0] == metas[1])
        #expect(metas[0].hashValue == metas[1].hashValue)
        #expect(metas[0] as CoreStoreObject != Other(asMeta: ()))
    }

    @Test(.pins("SCH-10"), arguments: TestBackend.allCases)
    func `stacks, transactions, monitors and publishers each have their own user info`(
        _ backend: TestBackend
    ) async throws {
        let test = try TestStack(backend, schema)
        let stack = test.stack
        let pointer = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)
        defer { pointer.deallocate() }
        nonisolated(unsafe) let key = UnsafeRawPointer(pointer)
        var infos: [UserInfo] = [stack.userInfo]
        infos.append(
            try stack.perform(synchronous: { transaction in
                transaction.create(Into<Dunlin>()).name = "one"
                transaction.userInfo[key] = "kept"
                #expect(transaction.userInfo[key] as? String == "kept")
                return transaction.userInfo
            }))
        infos.append(try await stack.async.perform { $0.userInfo })
        let unsafe = stack.beginUnsafe()
        infos += [unsafe.userInfo, unsafe.beginUnsafe().userInfo]
        let dunlin = try #require(try stack.fetchOne(From<Dunlin>()))
        let order = From<Dunlin>().orderBy(.ascending(\.$name))
        let (list, object, publisher) = (
            stack.monitorList(order), stack.monitorObject(dunlin), stack.publishList(order)
        )
        infos += [list.userInfo, object.userInfo, publisher.userInfo]
        #expect(infos.count == 8)
        #expect(Set(infos.map(ObjectIdentifier.init)).count == 8)
        for (number, info) in infos.enumerated() { info[key] = number }
        for (number, info) in infos.enumerated() { #expect(info[key] as? Int == number) }
        #expect(list.userInfo[key] as? Int == 5 && publisher.userInfo[key] as? Int == 7)
        // An existing value is returned, and no lazy value is created.
        #expect(stack.userInfo[key, lazyInit: { "never" }] as? Int == 0)
    }

    @Test(.pins("SCH-01"), arguments: TestBackend.allCases)
    func `a class may override both initialisers`(_ backend: TestBackend) throws {
        class Own: CoreStoreObject {
            let origin: String
            @Field.Stored("number") var number: Int = 1

            required init(rawObject: RawObject) {
                origin = "row"
                super.init(rawObject: rawObject)
            }

            required init(asMeta: Void) {
                origin = "meta"
                super.init(asMeta: asMeta)
            }
        }
        final class Sub: Own {
            @Field.Stored("extra") var extra: Int = 2
            var twice = 0

            required init(rawObject: RawObject) {
                super.init(rawObject: rawObject)
                twice = extra * 2
            }

            required init(asMeta: Void) { super.init(asMeta: asMeta) }
        }
        let test = try TestStack(
            backend, CoreStoreSchema(modelVersion: "V1", entities: [Entity<Own>("Own"), Entity<Sub>("Sub")]))
        try test.stack.perform(synchronous: { transaction in
            let sub = transaction.create(Into<Sub>())
            (sub.number, sub.extra) = (10, 20)
            #expect(sub.origin == "row")
        })
        var origin = ""
        let clause = Where<Sub> {
            origin = $0.origin
            return $0.$extra == 20 && $0.$number == 10
        }
        #expect(origin == "meta")
        let sub = try #require(try test.stack.fetchOne(From<Own>()) as? Sub)
        #expect(try test.stack.fetchOne(From<Sub>().where(clause)) === sub)
        #expect(sub.origin == "row" && sub.twice == 40)
    }
}
