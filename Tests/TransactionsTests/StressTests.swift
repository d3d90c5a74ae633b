import Coffer
import CofferStorage
import Foundation
import TestSupport
import Testing

private let schema = CoreStoreSchema(
    modelVersion: "V1", entities: [Entity<StressNode>("Node", indexes: [[\StressNode.$number]])]
)

/// Random transactions on many threads; the final state is the same as if they had run one after the other.
struct StressTests {
    static let threads = 4
    static let operationsPerThread = 2500

    @Test(.pins("TX-01", "TX-30", "TX-46"), arguments: TestBackend.allCases)
    func `10,000 concurrent random operations have the same result as a serial execution`(
        _ backend: TestBackend
    ) async throws {
        let seed = ProcessInfo.processInfo.environment["COFFER_SEED"].flatMap(UInt64.init) ?? .random(in: 0...9999)
        print("StressTests on \(backend): COFFER_SEED=\(seed)")
        let queue = DispatchQueue(label: "view")
        let test = try TestStack(backend, schema, viewQueue: queue)
        let run = StressRun(test.stack)
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<Self.threads {
                group.addTask {
                    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                        Thread.detachNewThread {
                            var worker = StressWorker(run, seed: seed &+ UInt64(thread) << 32)
                            worker.work(operations: Self.operationsPerThread)
                            continuation.resume()
                        }
                    }
                }
            }
        }
        await withCheckedContinuation { continuation in run.pending.notify(queue: queue) { continuation.resume() } }
        let expected = run.serialModel()
        #expect(expected.nodes.count > 100, "seed \(seed)")
        let seen = try queue.sync { try StressModel(reading: test.stack) }
        #expect(seen == expected, "the stack, seed \(seed)")
        #expect(try test.stack.read({ try StressModel(reading: $0) }) == expected, "the store, seed \(seed)")
        queue.sync {
            for node in run.liveNodes.value {
                guard !node.isDeleted else {
                    #expect(expected.nodes[node.number] == nil, "a live object, seed \(seed)")
                    continue
                }
                #expect(StressModel.State(node) == expected.nodes[node.number], "a live object, seed \(seed)")
            }
            run.liveNodes.value = []
        }
    }
}

extension StressModel {
    init(reading source: any FetchableSource) throws {
        for node in try source.fetchAll(From<StressNode>()) { nodes[node.number] = State(node) }
    }
}

extension StressModel.State {
    init(_ node: StressNode) {
        self.init(value: node.value, parent: node.parent?.number, friends: Set(node.friends.map(\.number)))
    }
}

/// The state that all threads share.
final class StressRun: Sendable {
    // Sendable: only the view queue uses the value.
    final class LiveNodes: @unchecked Sendable {
        var value: [StressNode] = []
    }

    let stack: DataStack
    let pending = DispatchGroup()
    let liveNodes = LiveNodes()
    private let numbers = Locked(0)
    /// The operations of each transaction, one list for each of its commits.
    private let batches = Locked<[Int: [[StressModel.Operation]]]>([:])
    private let log = CommitLog()

    /// The transactions in the order of their commits.
    private final class CommitLog: Sendable {
        let sources = Locked<[Int]>([])
    }

    init(_ stack: DataStack) {
        self.stack = stack
        stack.onCommit { [log] record in
            let source = record.sourceIdentifier.value as? Int ?? -1
            log.sources.withLock { $0.append(source) }
        }
    }

    func nextNumber() -> Int {
        numbers.withLock { number in
            number += 1
            return number
        }
    }

    func note(_ operations: [StressModel.Operation], of transaction: Int) {
        batches.withLock { $0[transaction, default: []].append(operations) }
    }

    /// Returns the model after all commits, in the order in which the stack reports them.
    func serialModel() -> StressModel {
        var model = StressModel()
        var rest = batches.withLock { $0 }
        for source in log.sources.withLock({ $0 }) {
            guard let operations = rest[source]?.first else { continue }
            rest[source]?.removeFirst()
            for operation in operations { model.apply(operation) }
        }
        return model
    }
}
