import Coffer
import CofferStorage
import CofferStorageTools
import CofferTransactions
import Dispatch
import TestSupport

/// A store and its stacks with their expected content, changed at random.
///
/// Each step has its own random numbers, so a run can be repeated without some of its steps.
final class ObjectRun: @unchecked Sendable {  // Sendable: the run does one thing at a time.
    let test: TestStack
    let registry = Registry()
    let seed: UInt64
    private(set) var stacks: [WatchedStack] = []
    var editors: [Editor] = []
    var stored = World()
    /// The objects whose places the last transaction may have set.
    var placed: Set<Int> = []
    private var commits: [Commit] = []
    /// The number of saves.
    private(set) var saveCount = 0
    /// How often each object was changed, and how often its place in an order may have changed.
    private(set) var revisions: [Int: Int] = [:]
    private(set) var placings: [Int: Int] = [:]
    /// The operations and events, for the report of a mismatch.
    private(set) var trail: [String] = []
    /// The number of operations and events so far.
    private(set) var count = 0

    init(_ backend: TestBackend, seed: UInt64) throws {
        self.seed = seed
        let view = DispatchQueue(label: "view")
        test = try TestStack(backend, Depot.schema, viewQueue: view)
        stacks = [WatchedStack(test.stack, view, registry)]
        guard seed % 2 == 0 else { return }
        for index in 2...(seed % 8 == 0 ? 3 : 2) {
            let view = DispatchQueue(label: "view \(index)")
            let stack = DataStack(Depot.schema, viewQueue: view)
            // A store in memory is one object.
            let shared = backend == .memory ? view.sync { test.stack._graph.stores.first?.storage } : nil
            try TestStack.add(shared ?? backend.makeStore("default", in: test.directory), to: stack)
            stacks.append(WatchedStack(stack, view, registry))
        }
    }

    /// Releases the observers and stacks, and checks the store for problems.
    func end() throws {
        let others = stacks.dropFirst().map(\.stack)
        (editors, stacks) = ([], [])
        for store in test.stack.viewQueue.sync(execute: { test.stack._graph.stores }) {
            let problems = try store.storage.problems(store.layout)
            if !problems.isEmpty { throw Mismatch("the store has problems: \(problems)") }
        }
        for stack in others { stack.unsafeRemoveAllPersistentStoresAndWait() }
    }

    func note(_ what: String) {
        count += 1
        trail.append(what)
        if trail.count > 200 { trail.removeFirst(50) }
    }

    /// Makes the step with a number, and checks the results.
    func step(_ number: Int) throws {
        var dice = Dice(seed &* 0x2545_F491_4F6C_DD1D &+ UInt64(number))
        if dice.isOne(in: 3) { try transact(stacks[dice.next(stacks.count)], &dice) } else { try edit(&dice) }
        try check(isFull: number % 4 == 0, &dice)
    }

    func check(isFull: Bool, _ dice: inout Dice) throws {
        guard !commits.isEmpty || isFull else { return }
        for stack in stacks { try stack.check(stored, commits, isFull: isFull, &dice) }
        commits = []
        guard isFull else { return }
        try test.stack.read { try Cast($0, registry).world() }.expect(stored, "the stored content")
    }

    /// Adds the commit of a transaction to the model.
    ///
    /// - Parameters:
    ///   - isExact: whether the transaction's stack knew the stored values before the commit.
    ///   - placed: the objects whose places the transaction may have changed without a change of their order.
    func save(
        _ world: World, by watched: WatchedStack, isExact: Bool = true, linked: Set<Int> = [], placed: Set<Int>
    ) {
        var world = world
        (world.touched, world.nullified, world.cascades) = ([], [:], [:])
        for editor in editors where editor.watched !== watched { editor.isForeign = true }
        for id in Set(world.things.keys).union(stored.things.keys) {
            if world.hasOtherRow(id, than: stored) { revisions[id, default: 0] += 1 }
        }
        for (parent, children) in world.manies[.children] ?? [:] where children != stored.many(.children, parent) {
            for child in children { placings[child, default: 0] += 1 }
        }
        for id in placed { placings[id, default: 0] += 1 }
        saveCount += 1
        commits.append(Commit(before: stored, after: world, stack: watched, isExact: isExact, linked: linked))
        stored = world
    }
}

/// The commit of a transaction.
struct Commit {
    let before: World
    let after: World
    let stack: WatchedStack
    /// Whether the stack's observers receive no other changes.
    let isExact: Bool
    /// The objects whose links the transaction changed as others had before; observers may receive them again.
    var linked: Set<Int> = []
}

extension World {
    /// Whether the row of an object contains other values than in another world.
    func hasOtherRow(_ id: Int, than other: World) -> Bool {
        things[id] != other.things[id] || ToOne.allCases.contains { one($0, id) != other.one($0, id) }
    }
}
