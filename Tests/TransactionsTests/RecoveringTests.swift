import Coffer
import CofferStorage
import TestSupport
import Testing

/// The behaviour of an unsafe transaction after one of its reads failed.
@MainActor
struct RecoveringTests {
    private let fire = "failed: The disk is on fire (fetch 'lines', ProbedStore)."

    private func make(_ backend: TestBackend) throws -> (probed: ProbedStack, ids: Shop.IDs) {
        let probed = try ProbedStack(backend, Shop.schema)
        try probed.stack.perform(synchronous: { Shop.fill($0) })
        return (probed, try Shop.IDs(probed.stack))
    }

    private func total(_ probed: ProbedStack) throws -> Int {
        try probed.stack.read({ try Shop.order("A", in: $0).total })
    }

    @Test(.pins("TX-28"), arguments: TestBackend.allCases)
    func `after a commit fails because of a failed read, a refresh allows the next commit`(
        _ backend: TestBackend
    ) throws {
        let (probed, _) = try make(backend)
        let transaction = probed.stack.beginUnsafe()
        let order = try Shop.order("A", in: transaction)
        order.number = "A1"
        probed.store.fail(.read)
        order.total = order.lines.reduce(7) { $0 + $1.amount }
        #expect(order.total == 7)
        // Until a commit has reported the failed read, a refresh does not hide it.
        transaction.refreshAndMergeAllObjects()
        for _ in 0..<2 {
            let error = #expect(throws: CoreStoreError.self) { try transaction.commitAndWait() }
            #expect(error?.description == fire)
        }
        // If the refresh fails too, the next commit still throws.
        probed.store.fail(.read)
        transaction.refreshAndMergeAllObjects()
        #expect(throws: CoreStoreError.self) { try transaction.commitAndWait() }
        transaction.refreshAndMergeAllObjects()
        #expect(order.number == "A1")
        order.total = order.lines.reduce(7) { $0 + $1.amount }
        try transaction.commitAndWait()
        #expect(try probed.stack.read({ try Shop.order("A1", in: $0).total }) == 37)
    }

    @Test(.pins("TX-42"), arguments: TestBackend.allCases)
    func `undo removes a failed read together with its changes, and redo restores it`(
        _ backend: TestBackend
    ) throws {
        let (probed, _) = try make(backend)
        let transaction = probed.stack.beginUnsafe(supportsUndo: true)
        let order = try Shop.order("A", in: transaction)
        transaction.flush { order.total = 1 }
        probed.store.fail(.read)
        transaction.flush { order.total = order.lines.count + 100 }
        transaction.flush { order.number = "A1" }
        transaction.undo()
        let error = #expect(throws: CoreStoreError.self) { try transaction.commitAndWait() }
        #expect(error?.description == fire)
        transaction.undo()
        transaction.redo()
        #expect(order.total == 100)
        #expect(throws: CoreStoreError.self) { try transaction.commitAndWait() }
        transaction.undo()
        #expect(order.total == 1)
        try transaction.commitAndWait()
        #expect(try total(probed) == 1)
    }

    @Test(.pins("TX-42"), arguments: TestBackend.allCases)
    func `undo of earlier changes does not remove a later failed read`(
        _ backend: TestBackend
    ) throws {
        let (probed, _) = try make(backend)
        let transaction = probed.stack.beginUnsafe(supportsUndo: true)
        let order = try Shop.order("A", in: transaction)
        transaction.flush { order.total = 1 }
        probed.store.fail(.read)
        let count = order.lines.count
        transaction.undo()
        order.total = count
        #expect(throws: CoreStoreError.self) { try transaction.commitAndWait() }
        transaction.rollback()
        order.total = order.lines.count
        try transaction.commitAndWait()
        #expect(try total(probed) == 2)
    }

    @Test(.pins("TX-42"), arguments: TestBackend.allCases)
    func `a deletion with a failed read changes nothing`(_ backend: TestBackend) throws {
        // Lines, steps, tags, stops and the invoice are read before anything is deleted.
        for index in 0..<5 {
            let (probed, ids) = try make(backend)
            let transaction = probed.stack.beginUnsafe()
            let order: Shop.Order = try #require(transaction.edit(Into(), ids.a))
            probed.store.fail(.read, after: index)
            transaction.delete(order)
            #expect(!probed.store.stopFailing(.read))
            #expect(!order.isDeleted)
            #expect(!transaction.hasChanges)
            #expect(throws: CoreStoreError.self) { try transaction.commitAndWait() }
            transaction.refreshAndMergeAllObjects()
            #expect(order.lines.count == 2)
            transaction.delete(order)
            try transaction.commitAndWait()
            let counts = try probed.stack.read({ reading in
                [
                    try reading.fetchCount(From<Shop.Order>()), try reading.fetchCount(From<Shop.Line>()),
                    try reading.fetchCount(From<Shop.Invoice>()),
                ]
            })
            #expect(counts == [2, 2, 1])
        }
    }

    @Test(.pins("TX-42"), arguments: TestBackend.allCases)
    func `a relationship whose assignment failed can be set again`(_ backend: TestBackend) throws {
        let (probed, ids) = try make(backend)
        let transaction = probed.stack.beginUnsafe()
        let order: Shop.Order = try #require(transaction.edit(Into(), ids.a))
        let line = transaction.create(Into<Shop.Line>())
        line.name = "new"
        probed.store.fail(.read)
        order.lines = [line]
        let error = #expect(throws: CoreStoreError.self) { try transaction.commitAndWait() }
        #expect(error?.description == fire)
        order.lines = [line]
        try transaction.commitAndWait()
        #expect(try probed.stack.read({ try Shop.order("A", in: $0).lines.map(\.name) }) == ["new"])
    }

    @Test(.pins("TX-46"), arguments: TestBackend.allCases)
    func `a commit that cannot read concurrent changes can be repeated and applies delete rules`(
        _ backend: TestBackend
    ) throws {
        for index in 0..<20 {
            let (probed, ids) = try make(backend)
            let transaction = probed.stack.beginUnsafe()
            let order: Shop.Order? = transaction.edit(Into(), ids.a)
            transaction.delete(order)
            // Another transaction adds a line to the order, which the commit deletes with the order.
            try probed.stack.perform(synchronous: { other in
                let line = other.create(Into<Shop.Line>())
                line.name = "late"
                line.order = other.edit(Into(), ids.a)
            })
            probed.store.fail(.read, after: index)
            let hasFailed = (try? transaction.commitAndWait()) == nil
            if probed.store.stopFailing(.read) {
                #expect(index > 0)
                return
            }
            #expect(hasFailed)
            #expect(try probed.stack.fetchCount(From<Shop.Line>()) == 5)
            try transaction.commitAndWait()
            #expect(try probed.stack.fetchCount(From<Shop.Line>()) == 2)
        }
        Issue.record("The commit reads more than it should.")
    }

    @Test(.pins("TX-44"), arguments: TestBackend.allCases)
    func `a child's commit with a failed read changes nothing in its parent and can be repeated`(
        _ backend: TestBackend
    ) throws {
        for index in 0..<20 {
            let (probed, ids) = try make(backend)
            let parent = probed.stack.beginUnsafe()
            let child = parent.beginUnsafe()
            let order: Shop.Order? = child.edit(Into(), ids.a)
            order?.number = "A1"
            order?.stops.reverse()
            child.delete(child.edit(Into<Shop.Customer>(), ids.zoe))
            child.create(Into<Shop.Tag>()).name = "new"
            probed.store.fail(.read, after: index)
            let hasFailed = (try? child.commitAndWait()) == nil
            let isOver = probed.store.stopFailing(.read)
            #expect(hasFailed != isOver)
            if hasFailed {
                #expect(!parent.hasChanges)
                try child.commitAndWait()
            }
            try parent.commitAndWait()
            let order2 = try Shop.order("A1", in: probed.stack)
            #expect(order2.stops.map(\.name) == ["A2", "A1"])
            #expect(try probed.stack.fetchCount(From<Shop.Customer>()) == 1)
            #expect(try probed.stack.fetchCount(From<Shop.Tag>().where(\.$name == "new")) == 1)
            if isOver { return }
        }
        Issue.record("The commit reads more than it should.")
    }
}
