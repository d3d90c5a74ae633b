import Coffer
import CofferStorage
import TestSupport
import Testing

/// Transactions and reads in which several reads fail.
@MainActor
struct FirstFailureTests {
    private func make(_ backend: TestBackend) throws -> ProbedStack {
        let probed = try ProbedStack(backend, Shop.schema)
        try probed.stack.perform(synchronous: { Shop.fill($0) })
        return probed
    }

    /// Reads two relationships; each read fails with a different error.
    private nonisolated func readInVain(_ order: Shop.Order, _ store: ProbedStore) {
        store.fail(.read, with: .init(.failed, "The first reason."))
        #expect(order.lines.isEmpty)
        store.fail(.read, with: .init(.failed, "The second reason."))
        #expect(order.steps.isEmpty)
        #expect(!store.stopFailing(.read))
    }

    @Test(.pins("TX-04"), arguments: TestBackend.allCases)
    func `a transaction throws the first of several failures`(_ backend: TestBackend) throws {
        let probed = try make(backend)
        let error = #expect(throws: CoreStoreError.self) {
            try probed.stack.perform(synchronous: { transaction in
                let order = try Shop.order("A", in: transaction)
                readInVain(order, probed.store)
                order.total = order.size
            })
        }
        #expect(error?.storageError?.message.hasPrefix("The first reason.") == true)
        #expect(try probed.stack.read({ try Shop.order("A", in: $0).total }) == 0)
    }

    @Test(.pins("TX-12"), arguments: TestBackend.allCases)
    func `a read throws the first of several failures`(_ backend: TestBackend) throws {
        let probed = try make(backend)
        let error = #expect(throws: CoreStoreError.self) {
            try probed.stack.read({ reading in
                let order = try Shop.order("A", in: reading)
                readInVain(order, probed.store)
                return order.size
            })
        }
        #expect(error?.storageError?.message.hasPrefix("The first reason.") == true)
    }
}
