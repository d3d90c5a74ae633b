import Coffer
import CofferStorage
import Foundation
import TestSupport
import Testing

/// Mistakes at which a debug build stops.
///
/// A release build continues, but saves nothing of a transaction that made such a mistake.
@MainActor
struct MisuseTests {
    // No other test uses these names; the recordings find their messages by them.
    private final class Heron: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
        @Field.Relationship("pond") var pond: Pond?
        @Field.Relationship("eggs", inverse: \.$heron) var eggs: [Egg]
        @Field.Relationship("friends") var friends: Set<Heron>
        @Field.Relationship("friendOf", inverse: \.$friends) var friendOf: Set<Heron>
    }

    private final class Pond: CoreStoreObject {
        @Field.Relationship("herons", inverse: \.$pond) var herons: Set<Heron>
    }

    private final class Egg: CoreStoreObject {
        @Field.Relationship("heron") var heron: Heron?
    }

    private let schema = CoreStoreSchema(
        modelVersion: "V1",
        entityConfigurations: [
            Entity<Heron>("Heron"): ["A", "B"], Entity<Pond>("Pond"): ["A", "B"], Entity<Egg>("Egg"): ["A", "B"],
        ]
    )

    private struct Fixture {
        let test: TestStack
        let heron: Heron
        let pond: Pond
        let egg: Egg
        var stack: DataStack { test.stack }
    }

    private func make(_ backend: TestBackend) throws -> Fixture {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { transaction in
            transaction.create(Into<Heron>()).name = "Harry"
            _ = transaction.create(Into<Pond>())
            _ = transaction.create(Into<Egg>())
        })
        return Fixture(
            test: test, heron: try #require(try test.stack.fetchOne(From<Heron>())),
            pond: try #require(try test.stack.fetchOne(From<Pond>())),
            egg: try #require(try test.stack.fetchOne(From<Egg>())))
    }

    private func elsewhere(_ object: CoreStoreObject, than other: CoreStoreObject) -> String {
        "\(object.objectID()) belongs to another transaction or data stack than \(other.objectID()). "
            + "Get it by 'transaction.edit(_:)'."
    }

    /// Returns the error message of a transaction with a mistake; the failed assertion has the same message.
    private func failure(
        of stack: DataStack, _ sourceLocation: SourceLocation = #_sourceLocation,
        _ task: (SynchronousDataTransaction) throws -> Void
    ) -> String? {
        var error: CoreStoreError?
        let log = RecordingLogger.record("Heron") {
            error = #expect(throws: CoreStoreError.self, sourceLocation: sourceLocation) {
                try stack.perform(synchronous: { transaction in
                    _ = transaction.create(Into<Egg>())
                    try task(transaction)
                })
            }
        }
        let message = error?.storageError?.message
        #expect(log.assertions.first == message, sourceLocation: sourceLocation)
        return message
    }

    @Test(.pins("FLD-43"), arguments: TestBackend.allCases)
    func `a transaction that relates its object to an object of the stack cannot be saved`(
        _ backend: TestBackend
    ) throws {
        let fixture = try make(backend)
        let (stack, heron, pond, egg) = (fixture.stack, fixture.heron, fixture.pond, fixture.egg)
        let mistakes: [(String, (Heron) -> Void)] = [
            (elsewhere(pond, than: heron), { $0.pond = pond }),
            (elsewhere(egg, than: heron), { $0.eggs = [egg] }),
            (elsewhere(egg, than: heron), { $0.eggs.append(egg) }),
            (elsewhere(egg, than: heron), { $0.eggs.insert(egg, at: 0) }),
            (elsewhere(heron, than: heron), { $0.friends = [heron] }),
            (elsewhere(heron, than: heron), { $0.friends.insert(heron) }),
            (elsewhere(heron, than: heron), { $0.friendOf.formUnion([heron]) }),
        ]
        for (text, mistake) in mistakes {
            #expect(failure(of: stack) { mistake(try #require($0.edit(heron))) } == text)
        }
        #expect(
            failure(of: stack) { try #require($0.edit(pond)).herons.insert(heron) } == elsewhere(heron, than: pond))
        #expect(try stack.fetchCount(From<Egg>()) == 1)
        #expect(try stack.read({ try $0.fetchOne(From<Heron>())?.pond == nil }))
    }

    @Test(.pins("FLD-43"), arguments: TestBackend.allCases)
    func `a transaction that relates its object to an object of another transaction cannot be saved`(
        _ backend: TestBackend
    ) throws {
        let fixture = try make(backend)
        let (stack, heron) = (fixture.stack, fixture.heron)
        let unsafe = stack.beginUnsafe()
        let pond = unsafe.create(Into<Pond>())
        #expect(failure(of: stack) { $0.edit(heron)?.pond = pond } == elsewhere(pond, than: heron))
        let ended = try stack.perform(synchronous: { $0.create(Into<Pond>()) })
        #expect(failure(of: stack) { $0.edit(heron)?.pond = ended } == elsewhere(ended, than: heron))
        // The reverse: an unsafe transaction and its child receive the object of another transaction.
        try RecordingLogger.record("Heron") {
            let child = unsafe.beginUnsafe()
            let own = try #require(child.edit(heron))
            own.pond = pond
            let error = #expect(throws: CoreStoreError.self) { try child.commitAndWait() }
            #expect(error?.storageError?.message == elsewhere(pond, than: heron))
            #expect(unsafe.updatedObjects(Heron.self).isEmpty)
            // After the relationship is set to an object of the child, the child can be committed.
            own.pond = child.edit(pond)
            try child.commitAndWait()
        }
        try unsafe.commitAndWait()
        #expect(heron.pond?.objectID() == pond.objectID())
    }

    @Test(.pins("FLD-43"), arguments: TestBackend.allCases)
    func `an invalid relationship has no effect if it is set again or its object is deleted`(
        _ backend: TestBackend
    ) throws {
        let fixture = try make(backend)
        let (stack, heron, pond) = (fixture.stack, fixture.heron, fixture.pond)
        try RecordingLogger.record("Heron") {
            try stack.perform(synchronous: { transaction in
                let own = try #require(transaction.edit(heron))
                own.pond = pond
                own.pond = transaction.edit(pond)
                let other = transaction.create(Into<Heron>())
                other.pond = pond
                transaction.delete(other)
            })
        }
        #expect(heron.pond == pond)
        #expect(try stack.fetchCount(From<Heron>()) == 1)
    }

    @Test(.pins("FLD-43"), arguments: TestBackend.allCases)
    func `a transaction that relates objects of different stores cannot be saved`(
        _ backend: TestBackend
    ) throws {
        let test = try TestStack(backend, schema)
        try test.addStore(configuration: "A")
        try test.addStore(configuration: "B")
        var error: CoreStoreError?
        let log = RecordingLogger.record("are in different stores") {
            error = #expect(throws: CoreStoreError.self) {
                try test.stack.perform(synchronous: { transaction in
                    transaction.create(Into<Heron>("A")).pond = transaction.create(Into<Pond>("B"))
                })
            }
        }
        #expect(log.assertions == [error?.storageError?.message])
        #expect(error?.storageError?.message.hasSuffix(" are in different stores and cannot be related.") == true)
        #expect(try test.stack.fetchCount(From<Heron>()) == 0)
    }

    @Test(.pins("SCH-04"), arguments: TestBackend.allCases)
    func `a transaction that changes an object of the stack cannot be saved`(
        _ backend: TestBackend
    ) throws {
        let fixture = try make(backend)
        let (stack, heron) = (fixture.stack, fixture.heron)
        let text = "'Heron' cannot be changed outside a transaction. Get it by 'transaction.edit(_:)'."
        #expect(failure(of: stack) { _ in heron.name = "Eve" } == text)
        #expect(
            failure(of: stack) {
                $0.edit(heron)?.pond = nil; heron.pond = nil
            } == text)
        #expect(failure(of: stack) { _ in heron.friends.insert(heron) } == text)
        #expect(heron.name == "Harry")
        #expect(try stack.fetchCount(From<Egg>()) == 1)
        // The same applies to an object whose transaction has ended.
        var ended: Heron?
        try stack.perform(synchronous: { ended = $0.edit(heron) })
        #expect(
            failure(of: stack) { _ in ended?.name = "Eve" }
                == "'Heron' cannot be changed, because its transaction or data stack has ended.")
    }

    @Test(.pins("SCH-04"), arguments: TestBackend.allCases)
    func `outside a transaction, changing an object of the stack logs an error`(
        _ backend: TestBackend
    ) throws {
        let fixture = try make(backend)
        let log = RecordingLogger.record("'Heron' cannot be changed outside") { fixture.heron.name = "Eve" }
        #expect(log.assertions.count == 1)
        #expect(log.errors == ["Nothing was changed."])
        #expect(fixture.heron.name == "Harry")
    }

    @Test(.pins("TX-21"), arguments: TestBackend.allCases)
    func `A3 a read that changes an object throws an error`(_ backend: TestBackend) async throws {
        let fixture = try make(backend)
        let stack = fixture.stack
        let text = "'Heron' cannot be changed outside a transaction. Get it by 'transaction.edit(_:)'."
        await RecordingLogger.record("'Heron' cannot be changed outside") {
            let error = #expect(throws: CoreStoreError.self) {
                try stack.read({ try $0.fetchOne(From<Heron>())?.name = "Eve" })
            }
            #expect(error?.storageError?.message == text)
            let other = await #expect(throws: CoreStoreError.self) {
                try await stack.async.read { reading -> Int in
                    for heron in try reading.fetchAll(From<Heron>()) { heron.pond = nil }
                    return 1
                }
            }
            #expect(other?.storageError?.message == text)
        }
    }

    @Test(.pins("SCH-21"), arguments: TestBackend.allCases)
    func `a schema that leaves out a superclass with fields is refused`(_ backend: TestBackend) throws {
        class Wader: CoreStoreObject {
            @Field.Stored("legs") var legs: Int = 2
        }
        class Plain: Wader {}
        final class Curlew: Plain {
            @Field.Stored("beak") var beak: Double = 15
        }
        let text =
            "'Curlew' inherits the field 'legs' of the class 'Wader', which is not registered as an entity. "
            + "Add 'Entity<Wader>(\"Wader\", isAbstract: true)' to the schema."
        var error: CoreStoreError?
        let log = RecordingLogger.record("'Curlew' inherits") {
            error = #expect(throws: CoreStoreError.self) {
                _ = try TestStack(backend, CoreStoreSchema(modelVersion: "V1", entities: [Entity<Curlew>("Curlew")]))
            }
        }
        #expect(log.assertions == [text])
        #expect(error?.storageError?.code == .invalidModel)
        #expect(error?.storageError?.message == text)
        // A superclass without fields need not be registered.
        let test = try TestStack(
            backend,
            CoreStoreSchema(
                modelVersion: "V1", entities: [Entity<Curlew>("Curlew"), Entity<Wader>("Wader", isAbstract: true)])
        )
        try test.stack.perform(synchronous: { $0.create(Into<Curlew>()).legs = 1 })
        #expect(try test.stack.fetchOne(From<Wader>())?.legs == 1)
    }
}
