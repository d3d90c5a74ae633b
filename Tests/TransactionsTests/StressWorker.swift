import Coffer
import Dispatch
import TestSupport
import Testing

final class StressNode: CoreStoreObject {
    @Field.Stored("number") var number: Int = 0
    @Field.Stored("value") var value: Int = 0
    @Field.Relationship("parent") var parent: StressNode?
    @Field.Relationship("children", inverse: \.$parent) var children: Set<StressNode>
    @Field.Relationship("friends", inverse: \.$friendOf) var friends: Set<StressNode>
    @Field.Relationship("friendOf") var friendOf: Set<StressNode>
}

/// The work of one thread.
struct StressWorker {
    private let run: StressRun
    private var random: SeededGenerator

    init(_ run: StressRun, seed: UInt64) {
        self.run = run
        random = SeededGenerator(seed: seed)
    }

    mutating func work(operations: Int) {
        var done = 0
        while done < operations {
            let size = Int.random(in: 1...8, using: &random)
            done += size
            do {
                switch Int.random(in: 0..<10, using: &random) {
                case 0..<3: try synchronously(size)
                case 3..<6: asynchronously(size)
                case 6..<8: try unsafely(size)
                case 8: try read()
                default: keepLiveNodes()
                }
            } catch let error as CoreStoreError where error.storageError?.code == .conflict {
                // Another transaction committed first; the store saved nothing of this transaction.
            } catch {
                Issue.record(error)
            }
        }
    }

    private mutating func synchronously(_ size: Int) throws {
        let number = run.nextNumber()
        var changes = StressChanges(run, random.next())
        try run.stack.perform(
            synchronous: { run.note(try changes.make(size, in: $0), of: number) },
            waitForAllObservers: Bool.random(using: &random), sourceIdentifier: number
        )
    }

    private mutating func asynchronously(_ size: Int) {
        let (run, number, seed) = (run, run.nextNumber(), random.next())
        run.pending.enter()
        run.stack.perform(
            asynchronous: { transaction in
                var changes = StressChanges(run, seed)
                run.note(try changes.make(size, in: transaction), of: number)
            },
            sourceIdentifier: number,
            completion: { result in
                if case .failure(let error) = result, error.storageError?.code != .conflict { Issue.record(error) }
                run.pending.leave()
            }
        )
    }

    private mutating func unsafely(_ size: Int) throws {
        let number = run.nextNumber()
        let transaction = run.stack.beginUnsafe(supportsUndo: Bool.random(using: &random), sourceIdentifier: number)
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            var changes = StressChanges(run, random.next())
            run.note(try changes.make(size, in: transaction), of: number)
            try transaction.commitAndWait()
        }
    }

    /// Checks on one snapshot that both sides of a relationship agree, and that each reference has an object.
    private func read() throws {
        try run.stack.read({ reading in
            let nodes = try reading.fetchAll(From<StressNode>())
            let children = nodes.reduce(0) { $0 + $1.children.count }
            let owned = try reading.fetchCount(From<StressNode>().where(\.$parent != nil))
            #expect(children == owned)
            #expect(nodes.filter { $0.parent != nil }.count == owned)
        })
    }

    private mutating func keepLiveNodes() {
        let (run, offset) = (run, Int.random(in: 0..<200, using: &random))
        run.stack.viewQueue.async {
            let window = Tweak {
                $0.fetchOffset = offset
                $0.fetchLimit = 20
            }
            let nodes =
                (try? run.stack.fetchAll(From<StressNode>(), OrderBy<StressNode>(.ascending(\.$number)), window)) ?? []
            for node in nodes { _ = (node.children.count, node.friends.count, node.parent) }
            run.liveNodes.value += nodes
        }
    }
}

/// The operations of one commit; each object is part of one operation at most.
private struct StressChanges {
    private let run: StressRun
    private var random: SeededGenerator
    private var untouched: [StressNode] = []
    private var touched: Set<StressNode> = []
    private var operations: [StressModel.Operation] = []

    init(_ run: StressRun, _ seed: UInt64) {
        self.run = run
        random = SeededGenerator(seed: seed)
    }

    mutating func make(_ size: Int, in transaction: BaseDataTransaction) throws -> [StressModel.Operation] {
        let count = try transaction.fetchCount(From<StressNode>())
        let offset = Int.random(in: 0...count, using: &random)
        let window = Tweak {
            $0.fetchOffset = max(0, offset - size * 4)
            $0.fetchLimit = size * 4
        }
        untouched = try transaction.fetchAll(From<StressNode>(), OrderBy<StressNode>(.ascending(\.$number)), window)
        untouched.shuffle(using: &random)
        create(in: transaction)
        for _ in 1..<max(2, size) {
            switch Int.random(in: 0..<10, using: &random) {
            case 0, 1: set()
            case 2, 3: relate()
            case 4, 5: link()
            case _ where count < 200: create(in: transaction)
            default: delete(in: transaction)
            }
        }
        return operations
    }

    private mutating func create(in transaction: BaseDataTransaction) {
        let node = transaction.create(Into<StressNode>())
        node.number = run.nextNumber()
        node.value = Int.random(in: 0...Int.max, using: &random)
        operations.append(.create(node.number, value: node.value))
    }

    /// Returns an object that is not part of an operation of this commit yet.
    private mutating func next() -> StressNode? {
        while let node = untouched.popLast() {
            if touched.insert(node).inserted { return node }
        }
        return nil
    }

    private mutating func set() {
        guard let node = next() else { return }
        node.value = Int.random(in: 0...Int.max, using: &random)
        operations.append(.set(node.number, value: node.value))
    }

    private mutating func relate() {
        guard let node = next(), let parent = next(), node.parent !== parent else { return }
        node.parent = node.parent == nil ? parent : nil
        operations.append(.relate(node.number, to: node.parent?.number))
    }

    private mutating func link() {
        guard let first = next(), let second = next() else { return }
        if first.friends.remove(second) != nil {
            operations.append(.unlink(first.number, second.number))
        } else {
            first.friends.insert(second)
            operations.append(.link(first.number, second.number))
        }
    }

    private mutating func delete(in transaction: BaseDataTransaction) {
        guard let node = next() else { return }
        let children = node.children
        guard children.isDisjoint(with: touched) else { return }
        touched.formUnion(children)
        transaction.delete(node)
        operations.append(.delete(node.number, children: children.map(\.number)))
    }
}
