import Coffer
import CofferInMemory
import Foundation
import TestSupport
import Testing

@MainActor
struct StackDescriptionTests {
    private func probed(_ backend: TestBackend) throws -> ProbedStack {
        let test = try ProbedStack(backend, Aviary.schema)
        try test.stack.perform(synchronous: { transaction in
            let cage = transaction.create(Into<Cage>())
            cage.number = 7
            for name in ["Ann", "Bob"] {
                let bird = transaction.create(Into<Bird>())
                bird.description = name
                bird.cage = cage
            }
        })
        return test
    }

    @Test(.pins("LOG-09"), arguments: TestBackend.allCases)
    func `the description of an object shows its values and relationships without a request`(
        _ backend: TestBackend
    ) throws {
        let test = try probed(backend)
        let bird = try #require(try test.stack.fetchOne(From<Bird>().where(\.$description == "Ann")))
        let cage = try #require(try test.stack.fetchOne(From<Cage>()))
        _ = test.store.takeRequests()
        test.store.fail(.read)
        let text = String(reflecting: bird)
        #expect(text.hasPrefix("(Bird) (\n    .objectID = \(bird.objectID());\n    .state = unchanged;\n"))
        #expect(text.contains("\n    .description = \"Ann\";\n"))
        #expect(text.contains("\n    .debugDescription = 0;\n"))
        #expect(text.contains("\n    .hatched = nil;\n"))
        #expect(text.contains("\n    .cage = \(cage.objectID());\n"))
        #expect(text.hasSuffix("\n)"))
        #expect(cage.coreStoreDumpString.contains(".birds = not loaded;"))
        #expect(bird.partialObject().coreStoreDumpString == bird.coreStoreDumpString)
        #expect(test.store.takeRequests() == [])
        #expect(test.store.stopFailing(.read))
        #expect(cage.birds.count == 2)
        #expect(cage.coreStoreDumpString.contains("\(bird.objectID())"))
    }

    @Test(.pins("LOG-09"), arguments: TestBackend.allCases)
    func `descriptions of lists, publishers, monitors and snapshots make no request`(
        _ backend: TestBackend
    ) throws {
        let test = try probed(backend)
        let bird = try #require(try test.stack.fetchOne(From<Bird>().where(\.$description == "Bob")))
        let cage = try #require(try test.stack.fetchOne(From<Cage>()))
        let order = From<Cage>().orderBy(.ascending(\.$number))
        let publisher = test.stack.publishList(order)
        let monitor = test.stack.monitorList(order)
        let objects = (test.stack.publishObject(cage), test.stack.monitorObject(cage), cage.asSnapshot(in: test.stack))
        _ = test.store.takeRequests()
        test.store.fail(.read)
        #expect(publisher.debugDescription.hasPrefix("(ListPublisher<Cage>) (\n    .isFetched = true;"))
        #expect(publisher.snapshot.debugDescription.contains(".itemIDs = [\(cage.objectID())];"))
        #expect("\(publisher.snapshot)" == "ListSnapshot<Cage>(1 items)")
        #expect(monitor.debugDescription.contains("\n    .numberOfObjects = 1;"))
        #expect(objects.0.debugDescription.contains("\n    .snapshot = nil;"))
        #expect(objects.1.debugDescription.contains("\n        .number = 7;"))
        #expect(try #require(objects.2).debugDescription.contains("\"number\": 7"))
        #expect(test.stack.debugDescription.contains("\n    .storages = [\"ProbedStore\"];"))
        #expect(!test.stack.debugDescription.contains("\(bird.objectID())"))
        #expect(test.store.takeRequests() == [])
        #expect(test.store.stopFailing(.read))
    }

    @Test(.pins("LOG-09"), arguments: TestBackend.allCases)
    func `deleted objects and ended transactions are described by their last known state`(
        _ backend: TestBackend
    ) throws {
        let test = try probed(backend)
        let cage = try #require(try test.stack.fetchOne(From<Cage>()))
        var ended: SynchronousDataTransaction?
        var object: Cage?
        try test.stack.perform(
            synchronous: { transaction in
                ended = transaction
                object = try transaction.fetchOne(From<Cage>())
                object?.number = 8
                let text = transaction.debugDescription
                #expect(text.hasPrefix("(SynchronousDataTransaction) (\n    .sourceIdentifier = \"test\";\n"))
                #expect(text.contains("\n    .isFinished = false;\n"))
                #expect(text.contains("\n    .updatedObjects = 1;\n"))
                #expect(object.coreStoreDumpString.contains(".state = updated;"))
                transaction.delete(object)
            }, sourceIdentifier: "test")
        let transaction = try #require(ended)
        #expect(transaction.coreStoreDumpString.contains("\n    .isFinished = true;\n"))
        #expect(try #require(object).coreStoreDumpString.contains(".number = 8;"))
        #expect(cage.coreStoreDumpString.contains(".state = deleted;"))
        #expect(cage.coreStoreDumpString.contains(".number = 7;"))
        let unsafe = test.stack.beginUnsafe()
        _ = unsafe.create(Into<Cage>())
        #expect(unsafe.debugDescription.contains("\n    .insertedObjects = 1;\n"))
    }

    @Test(.pins("LOG-09")) func `every description has the name of the type and one line for each field`() throws {
        let test = try probed(.memory)
        let stack = test.stack
        let cage = try #require(try stack.fetchOne(From<Cage>()))
        let order = From<Cage>().orderBy(.ascending(\.$number))
        let list = stack.publishList(order)
        let objectSnapshot = try #require(cage.asSnapshot(in: stack))
        let described: [any CoreStoreDebugStringConvertible & CustomDebugStringConvertible] = [
            stack, stack.beginUnsafe(), list, list.snapshot, stack.monitorList(order), stack.publishObject(cage),
            stack.monitorObject(cage), objectSnapshot, cage.partialObject(), Aviary.schema,
            SchemaHistory(Aviary.schema), CoreStoreError.userCancelled, InMemoryStore(), From<Cage>(),
        ]
        for value in described {
            let text = value.debugDescription
            #expect(text == "(\(type(of: value))) \(value.coreStoreDumpString)")
            let lines = text.split(separator: "\n")
            #expect(lines.count > 2 && lines.first == "(\(type(of: value))) (" && lines.last == ")", "\(text)")
            let fields = lines.dropFirst().dropLast()
            #expect(fields.allSatisfy { $0.hasPrefix("    ") } && fields.last?.hasSuffix(";") == true, "\(text)")
            // A line of this level begins a field, or ends a nested value.
            let own = fields.map { $0.dropFirst(4) }.filter { !$0.hasPrefix(" ") }
            #expect(own.first?.hasPrefix(".") == true, "\(text)")
            #expect(own.allSatisfy { $0.hasPrefix(".") || $0 == ");" || $0 == "];" }, "\(text)")
        }
    }

    @Test(.pins("LOG-09")) func `asynchronous transactions have descriptions`() async throws {
        let test = try probed(.memory)
        let text = try await test.stack.async.perform { $0.debugDescription }
        #expect(text.hasPrefix("(AsynchronousDataTransaction) ("))
    }
}
