import Coffer
import CofferStorage
import Foundation
import TestSupport
import Testing

/// Reads that cannot throw: the first failed read ends its transaction.
@MainActor
struct FailedReadTests {
    private let fire = "failed: The disk is on fire ("

    /// A filled store, the results of a program on a store without failures, and the number of the program's reads.
    private struct Trial {
        let probed: ProbedStack
        let ids: Shop.IDs
        let before: [String]
        let after: [String]
        let readCount: Int

        @MainActor
        init(_ backend: TestBackend, _ run: (DataStack, Shop.IDs) throws -> Void) throws {
            let undisturbed = try Self.make(backend)
            let ids = try Shop.IDs(undisturbed.stack)
            _ = undisturbed.store.takeRequests()
            try run(undisturbed.stack, ids)
            readCount = Self.readsTaken(undisturbed)
            after = try undisturbed.stack.read({ try Shop.dump($0) })
            probed = try Self.make(backend)
            self.ids = try Shop.IDs(probed.stack)
            before = try probed.stack.read({ try Shop.dump($0) })
        }

        private static func make(_ backend: TestBackend) throws -> ProbedStack {
            let probed = try ProbedStack(backend, Shop.schema)
            try probed.stack.perform(synchronous: { Shop.fill($0) })
            return probed
        }

        /// Returns the number of requested reads since the last call.
        func readsTaken() -> Int { Self.readsTaken(probed) }

        private static func readsTaken(_ probed: ProbedStack) -> Int {
            probed.store.takeRequests().filter { !$0.hasPrefix("commit") && !$0.hasPrefix("reserve") }.count
        }

        @MainActor var now: [String] {
            get throws { try probed.stack.read({ try Shop.dump($0) }) }
        }

        /// Calls the body once for each read of the program; in each call, that read fails.
        @MainActor
        func forEachRead(_ body: (Int) throws -> Void) throws {
            #expect(readCount > 0)
            for index in 0..<readCount {
                probed.store.fail(.read, after: index)
                try body(index)
                #expect(!probed.store.stopFailing(.read), "read \(index) was not asked for")
            }
        }
    }

    @Test(.pins("TX-04"), arguments: TestBackend.allCases, ShopProgram.all)
    func `a transaction saves nothing if one of its reads fails`(
        _ backend: TestBackend, _ program: ShopProgram
    ) throws {
        let trial = try Trial(backend) { stack, ids in try stack.perform(synchronous: { try program.run($0, ids) }) }
        try trial.forEachRead { index throws in
            let error = #expect(throws: CoreStoreError.self, "read \(index)") {
                try trial.probed.stack.perform(synchronous: { try program.run($0, trial.ids) })
            }
            #expect(error?.description.hasPrefix(fire) == true, "read \(index)")
            #expect(try trial.now == trial.before, "read \(index)")
        }
        #expect(trial.before != trial.after)
        try trial.probed.stack.perform(synchronous: { try program.run($0, trial.ids) })
        #expect(try trial.now == trial.after)
    }

    @Test(.pins("TX-27"), arguments: TestBackend.allCases)
    func `updatedObjectIDs reads nothing, and a failed read of updatedObjects fails the transaction`(
        _ backend: TestBackend
    ) throws {
        let probed = try ProbedStack(backend, Shop.schema)
        try probed.stack.perform(synchronous: { Shop.fill($0) })
        let line = From<Shop.Line>().where(\.$order != nil).orderBy(.ascending(\.$name))
        let error = #expect(throws: CoreStoreError.self) {
            try probed.stack.perform(synchronous: { transaction in
                // This assignment also changes the line's order, which the transaction has not read.
                try #require(try transaction.fetchOne(line)).order = nil
                _ = probed.store.takeRequests()
                let ids = transaction.updatedObjectIDs()
                #expect(ids.count == 2 && probed.store.takeRequests() == [])
                #expect(Set(transaction.updatedObjects(CoreStoreObject.self).map { $0.objectID() }) == ids)
                #expect(probed.store.takeRequests() != [])
                let last = From<Shop.Line>().orderBy(.descending(\.$name))
                try #require(try transaction.fetchOne(last)).order = nil
                #expect(transaction.updatedObjectIDs().count == 4)
                probed.store.fail(.read)
                _ = transaction.updatedObjects(Shop.Order.self)
                _ = probed.store.stopFailing(.read)
            })
        }
        #expect(error?.description.hasPrefix(fire) == true)
        #expect(try probed.stack.fetchCount(From<Shop.Line>().where(\.$order == nil)) == 0)
    }

    @Test(.pins("TX-41"), arguments: TestBackend.allCases, ShopProgram.all)
    func `an unsafe transaction with a failed read saves nothing until it is rolled back`(
        _ backend: TestBackend, _ program: ShopProgram
    ) throws {
        let trial = try Trial(backend) { stack, ids in
            let transaction = stack.beginUnsafe()
            try program.run(transaction, ids)
            try transaction.commitAndWait()
        }
        try trial.forEachRead { index throws in
            let transaction = trial.probed.stack.beginUnsafe(supportsUndo: true)
            _ = trial.probed.store.takeRequests()
            let hasRun = (try? program.run(transaction, trial.ids)) != nil
            let isCommitting = trial.readsTaken() <= index
            if hasRun {
                #expect(throws: CoreStoreError.self, "read \(index)") { try transaction.commitAndWait() }
                // Repeating the commit succeeds only if the failed read was a read of the commit.
                if !isCommitting {
                    #expect(throws: CoreStoreError.self, "read \(index)") { try transaction.commitAndWait() }
                }
            }
            #expect(try trial.now == trial.before, "read \(index)")
            transaction.rollback()
            #expect(!transaction.hasChanges)
            try transaction.commitAndWait()
            #expect(try trial.now == trial.before, "read \(index)")
        }
        let transaction = trial.probed.stack.beginUnsafe()
        try program.run(transaction, trial.ids)
        try transaction.commitAndWait()
        #expect(try trial.now == trial.after)
    }

    @Test(.pins("TX-44"), arguments: TestBackend.allCases, ShopProgram.all)
    func `a child transaction with a failed read changes nothing in its parent`(
        _ backend: TestBackend, _ program: ShopProgram
    ) throws {
        let trial = try Trial(backend) { stack, ids in
            let parent = stack.beginUnsafe()
            let child = parent.beginUnsafe()
            try program.run(child, ids)
            try child.commitAndWait()
            try parent.commitAndWait()
        }
        try trial.forEachRead { index throws in
            let parent = trial.probed.stack.beginUnsafe()
            let child = parent.beginUnsafe()
            #expect(throws: CoreStoreError.self, "read \(index)") {
                try program.run(child, trial.ids)
                do { try child.commitAndWait() } catch {
                    #expect(!parent.hasChanges, "read \(index)")
                    throw error
                }
                try parent.commitAndWait()
            }
            #expect(try trial.now == trial.before, "read \(index)")
        }
    }

    @Test(.pins("TX-44"), arguments: TestBackend.allCases, ShopProgram.reading)
    func `a parent with a failed read saves nothing after a commit of its child`(
        _ backend: TestBackend, _ program: ShopProgram
    ) throws {
        let trial = try Trial(backend) { stack, ids in
            let parent = stack.beginUnsafe()
            try program.run(parent, ids)
            parent.create(Into<Shop.Tag>()).name = "new"
            try parent.commitAndWait()
        }
        try trial.forEachRead { index throws in
            let parent = trial.probed.stack.beginUnsafe()
            #expect(throws: CoreStoreError.self, "read \(index)") {
                try program.run(parent, trial.ids)
                let child = parent.beginUnsafe()
                child.create(Into<Shop.Tag>()).name = "new"
                try child.commitAndWait()
                try parent.commitAndWait()
            }
            #expect(try trial.now == trial.before, "read \(index)")
        }
    }

    @Test(.pins("TX-12"), arguments: TestBackend.allCases)
    func `A2 a read transaction throws if one of its reads fails`(_ backend: TestBackend) async throws {
        let trial = try Trial(backend) { stack, _ in _ = try stack.read({ try Shop.dump($0) }) }
        try trial.forEachRead { index throws in
            let error = #expect(throws: CoreStoreError.self, "read \(index)") { try trial.now }
            #expect(error?.description.hasPrefix(fire) == true, "read \(index)")
        }
        let (stack, id) = (trial.probed.stack, trial.ids.a)
        trial.probed.store.fail(.read, after: 1)
        let error = await #expect(throws: CoreStoreError.self) {
            try await stack.async.read { reading in
                let order: Shop.Order? = reading.fetchExisting(id)
                return order?.lines.count
            }
        }
        #expect(error?.description == "failed: The disk is on fire (fetch 'lines', ProbedStore).")
        trial.probed.store.fail(.read)
        await #expect(throws: CoreStoreError.self) {
            try await stack.async.read { reading in (reading.fetchExisting(id) as Shop.Order?)?.number }
        }
        trial.probed.store.fail(.read)
        let result = await withCheckedContinuation { continuation in
            stack.read(
                { reading in (reading.fetchExisting(id) as Shop.Order?)?.number },
                completion: { continuation.resume(returning: $0) })
        }
        #expect(throws: CoreStoreError.self) { try result.get() }
    }

    @Test(.pins("TX-04"), arguments: TestBackend.allCases)
    func `the closure's own error takes precedence over the error of a failed read`(_ backend: TestBackend) throws {
        let trial = try Trial(backend) { stack, _ in _ = try stack.read({ try Shop.order("A", in: $0) }) }
        let (stack, store, id) = (trial.probed.stack, trial.probed.store, trial.ids.a)
        store.fail(.read)
        let thrown = #expect(throws: CoreStoreError.self) {
            try stack.perform(synchronous: { transaction in
                guard let order: Shop.Order = transaction.edit(Into(), id) else { throw Refusal() }
                order.total = 1
            })
        }
        #expect(thrown?.thrown as? Refusal == Refusal())
        store.fail(.read)
        let read = #expect(throws: CoreStoreError.self) {
            try stack.read({ reading in
                guard (reading.fetchExisting(id) as Shop.Order?) != nil else { throw Refusal() }
            })
        }
        #expect(read?.thrown as? Refusal == Refusal())
        #expect(try trial.now == trial.before)
    }

    @Test(.pins("TX-04"), arguments: TestBackend.allCases)
    func `a fetch error that the closure handles does not end the transaction`(
        _ backend: TestBackend
    ) throws {
        let trial = try Trial(backend) { stack, _ in _ = try stack.read({ try Shop.order("A", in: $0) }) }
        trial.probed.store.fail(.read)
        try trial.probed.stack.perform(synchronous: { transaction in
            #expect(throws: CoreStoreError.self) { try transaction.fetchAll(From<Shop.Order>()) }
            transaction.create(Into<Shop.Tag>()).name = "new"
        })
        #expect(try trial.probed.stack.fetchCount(From<Shop.Tag>().where(\.$name == "new")) == 1)
    }

    @Test(.pins("TX-11"), arguments: TestBackend.allCases)
    func `a transaction is repeated from a clean state only if its failed read is retryable`(
        _ backend: TestBackend
    ) async throws {
        let trial = try Trial(backend) { stack, _ in _ = try stack.read({ try Shop.order("A", in: $0) }) }
        let (stack, store, id) = (trial.probed.stack, trial.probed.store, trial.ids.a)
        let lost = StorageError(.unavailable, "The connection was lost.", isRetryable: true)
        let options = TransactionOptions(repeatable: .upTo(2))
        store.fail(.read, after: 1, with: lost)
        var attempts = 0
        try stack.perform(
            synchronous: { transaction in
                attempts += 1
                let order: Shop.Order? = transaction.edit(Into(), id)
                order?.total = order?.lines.reduce(0) { $0 + $1.amount } ?? -1
            }, options: options)
        #expect(attempts == 2)
        #expect(try stack.read({ try Shop.order("A", in: $0).total }) == 30)
        // The transaction is also repeated if the closure throws because of the missing objects.
        store.fail(.read, after: 1, with: lost)
        let total = try await stack.async.perform(options) { transaction in
            guard let order: Shop.Order = transaction.edit(Into(), id), !order.lines.isEmpty else { throw Refusal() }
            order.total += 1
            return order.total
        }
        #expect(total == 31)
        let step = try #require(try stack.fetchObjectID(From<Shop.Step>().where(\.$name == "A1")))
        let other = trial.ids.b
        store.fail(.read, after: 2, with: lost)
        try await stack.async.perform(options) { transaction in
            let step: Shop.Step? = transaction.edit(Into(), step)
            step?.order = transaction.edit(Into(), other)
            guard step?.order?.objectID() == other else { throw Refusal() }
        }
        #expect(!store.stopFailing(.read))
        // The transaction is not repeated after an error that is not retryable.
        store.fail(.read, after: 1)
        let error = #expect(throws: CoreStoreError.self) {
            try stack.perform(
                synchronous: { transaction in
                    attempts += 1
                    let order: Shop.Order? = transaction.edit(Into(), id)
                    order?.total = order?.lines.count ?? -1
                }, options: options)
        }
        #expect(error?.description == "failed: The disk is on fire (fetch 'lines', ProbedStore).")
        #expect(attempts == 3)
    }

    @Test(.pins("LOG-07"), arguments: TestBackend.allCases)
    func `a transaction fails if it uses a live object whose relationship cannot be read`(
        _ backend: TestBackend
    ) throws {
        let trial = try Trial(backend) { stack, _ in _ = try stack.read({ try Shop.order("A", in: $0) }) }
        let order = try Shop.order("A", in: trial.probed.stack)
        trial.probed.store.fail(.read, after: 1)
        let error = #expect(throws: CoreStoreError.self) {
            try trial.probed.stack.perform(synchronous: { transaction in
                transaction.edit(order)?.total = order.lines.count
            })
        }
        #expect(error?.description == "failed: The disk is on fire (fetch 'lines', ProbedStore).")
        #expect(try trial.now == trial.before)
        // Outside a transaction, a failed read throws no error.
        trial.probed.store.fail(.read)
        let recording = RecordingLogger.record("'lines' of \(order.objectID())") { #expect(order.lines.isEmpty) }
        #expect(recording.errors.count == 1)
        #expect(order.lines.count == 2)
    }
}
