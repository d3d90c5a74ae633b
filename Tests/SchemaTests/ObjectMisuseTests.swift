import Coffer
import Dispatch
import Foundation
import TestSupport
import Testing

/// Misuse of objects.
///
/// Each misuse is an assertion. If the logger lets the program continue, nothing is changed.
@MainActor
struct ObjectMisuseTests {
    // No other test uses these names, by which the recordings find their messages.
    private final class Puffin: CoreStoreObject {
        @Field.Stored("name") var name: String = "puff"
        @Field.Relationship("nest") var nest: Burrow?
    }

    private final class Burrow: CoreStoreObject {
        @Field.Relationship("puffins", inverse: \.$nest) var puffins: Set<Puffin>
    }

    private let schema = CoreStoreSchema(
        modelVersion: "V1",
        entityConfigurations: [Entity<Puffin>("Puffin"): ["A", "B"], Entity<Burrow>("Burrow"): ["A", "B"]]
    )

    private func makeStack(_ backend: TestBackend) throws -> TestStack {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { transaction in
            transaction.create(Into<Puffin>()).nest = transaction.create(Into<Burrow>())
        })
        return test
    }

    @Test(.pins("SCH-02")) func `a meta object has key paths but no values`() {
        var nested: String?
        let log = RecordingLogger.record("'Puffin' is a meta object") {
            _ = From<Puffin>().where { puffin in
                nested = puffin.name
                #expect(puffin.nest == nil)
                return puffin.$name == "x"
            }
        }
        #expect(nested == "puff")
        let text = "'Puffin' is a meta object: it has key paths but no values."
        #expect(log.assertions == [text, text])
        // Each class has one meta object.
        var first: Puffin?
        _ = Where<Puffin> {
            first = $0
            return $0.$name == "x"
        }
        _ = Where<Puffin> {
            #expect($0 === first)
            return $0.$name == "x"
        }
    }

    @Test(.pins("SCH-04"), arguments: TestBackend.allCases)
    func `objects of the stack cannot be changed`(_ backend: TestBackend) throws {
        let test = try makeStack(backend)
        let puffin = try #require(try test.stack.fetchOne(From<Puffin>()))
        let log = RecordingLogger.record("'Puffin' cannot be changed outside") {
            puffin.name = "other"
            puffin.nest = nil
        }
        let text = "'Puffin' cannot be changed outside a transaction. Get it by 'transaction.edit(_:)'."
        #expect(log.assertions == [text, text])
        #expect(log.errors == ["Nothing was changed.", "Nothing was changed."])
        #expect(puffin.name == "puff")
        #expect(puffin.nest != nil)
    }

    @Test(.pins("SCH-04"), arguments: TestBackend.allCases)
    func `objects are read and changed on their own queue`(_ backend: TestBackend) throws {
        let test = try makeStack(backend)
        let puffin = try #require(try test.stack.fetchOne(From<Puffin>()))
        nonisolated(unsafe) let shared = puffin
        let log = RecordingLogger.record("'Puffin' was ") {
            DispatchQueue(label: "elsewhere").sync { _ = shared.name }
        }
        #expect(
            log.assertions == [
                "'Puffin' was read outside the queue of its data stack or transaction. Fetch it where you use it."
            ]
        )
        nonisolated(unsafe) var leaked: Puffin?
        try test.stack.perform(synchronous: { leaked = $0.edit(puffin) })
        let late = RecordingLogger.record("'Puffin' cannot be changed, ") { leaked?.name = "late" }
        #expect(late.assertions == ["'Puffin' cannot be changed, because its transaction or data stack has ended."])
        #expect(puffin.name == "puff")
    }

    @Test(.pins("SCH-04"), arguments: TestBackend.allCases)
    func `relationships are read on the queue of their object`(_ backend: TestBackend) throws {
        let test = try makeStack(backend)
        let puffin = try #require(try test.stack.fetchOne(From<Puffin>()))
        #expect(puffin.nest != nil)
        nonisolated(unsafe) let shared = puffin
        let log = RecordingLogger.record("'Puffin' was ") {
            DispatchQueue(label: "elsewhere").sync { _ = shared.nest }
        }
        #expect(
            log.assertions == [
                "'Puffin' was read outside the queue of its data stack or transaction. Fetch it where you use it."
            ]
        )
    }

    @Test(.pins("FLD-43"), arguments: TestBackend.allCases)
    func `an object of another context is refused`(_ backend: TestBackend) throws {
        let test = try makeStack(backend)
        let puffin = try #require(try test.stack.fetchOne(From<Puffin>()))
        let burrow = try #require(try test.stack.fetchOne(From<Burrow>()))
        let log = try RecordingLogger.record("Puffin#") {
            let transaction = test.stack.beginUnsafe()
            let new = transaction.create(Into<Burrow>())
            new.puffins = [puffin]
            #expect(new.puffins.isEmpty)
            let edited = try #require(transaction.edit(puffin))
            edited.nest = burrow
            #expect(edited.nest?.objectID() == burrow.objectID())
            #expect(throws: CoreStoreError.self) { try transaction.commitAndWait() }
        }
        #expect(log.assertions.count == 2)
        #expect(
            log.assertions[0].hasPrefix(
                "\(puffin.objectID()) belongs to another transaction or data stack than Burrow#"))
        #expect(
            log.assertions[1]
                == "\(burrow.objectID()) belongs to another transaction or data stack than \(puffin.objectID()). "
                + "Get it by 'transaction.edit(_:)'."
        )
        #expect(burrow.puffins == [puffin])
    }

    @Test(.pins("FLD-43"), arguments: TestBackend.allCases)
    func `objects of different stores cannot be related`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        try test.addStore(configuration: "A")
        try test.addStore(configuration: "B")
        let log = RecordingLogger.record("are in different stores") {
            #expect(throws: CoreStoreError.self) {
                try test.stack.perform(synchronous: { transaction in
                    let puffin = transaction.create(Into<Puffin>("A"))
                    puffin.nest = transaction.create(Into<Burrow>("B"))
                    #expect(puffin.nest == nil)
                })
            }
        }
        #expect(log.assertions.count == 1)
        #expect(log.assertions.first?.hasSuffix(" are in different stores and cannot be related.") == true)
        #expect(try test.stack.fetchCount(From<Puffin>()) == 0)
    }

    @Test(.pins("FLD-43"), arguments: TestBackend.allCases)
    func `assigning a deleted object to a relationship leaves the object out`(_ backend: TestBackend) throws {
        let test = try makeStack(backend)
        let log = try RecordingLogger.record(", which was deleted and is left out.") {
            try test.stack.perform(synchronous: { transaction in
                let burrow = try #require(try transaction.fetchOne(From<Burrow>()))
                let old = try #require(burrow.puffins.first)
                let new = transaction.create(Into<Puffin>())
                transaction.delete(old)
                burrow.puffins = [old, new]
                #expect(burrow.puffins == [new])
                #expect(new.nest === burrow)
            })
        }
        #expect(log.messages(.warning).count == 1)
        #expect(try test.stack.fetchOne(From<Burrow>())?.puffins.count == 1)
    }
}
