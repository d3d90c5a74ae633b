import Coffer
import CofferStorage
import Dispatch
import TestSupport

/// Synchronous and asynchronous transactions.
extension ObjectRun {
    /// The error that a transaction throws to discard its changes.
    private struct Discarded: Error {}

    /// Runs a transaction with some operations, in one of the possible ways.
    func transact(_ watched: WatchedStack, _ dice: inout Dice) throws {
        let way = dice.next(4)
        let policy = dice.isOne(in: 4) ? World.Policy.allCases[dice.next(3)] : .merge
        let isDiscarded = dice.isOne(in: 8)
        let options = TransactionOptions(
            uniqueConstraintPolicy: policy == .merge ? nil : policy == .throwError ? .throwError : .keepStored)
        let before = stored
        let draft = Draft(stored, Dice(dice.next()))
        let task: @Sendable (BaseDataTransaction) throws -> Void = { [self] transaction in
            try edit(transaction, &draft.world, saved: before, &draft.dice)
            if isDiscarded { throw Discarded() }
        }
        note("\(["on", "off", "async", "async"][way]) \(policy)\(isDiscarded ? ", discarded" : "")")
        let result =
            switch way {
            case 0: watched.view.sync { synchronous(watched, options, task) }
            case 1: synchronous(watched, options, task)
            default: asynchronous(watched, options, task)
            }
        try judge(result, watched, before: before, after: draft.world, policy, isDiscarded: isDiscarded)
    }

    private func synchronous(
        _ watched: WatchedStack, _ options: TransactionOptions, _ task: (BaseDataTransaction) throws -> Void
    ) -> Result<Void, CoreStoreError> {
        Result { () throws(CoreStoreError) in
            try watched.stack.perform(synchronous: { try task($0) }, options: options)
        }
    }

    private func asynchronous(
        _ watched: WatchedStack, _ options: TransactionOptions,
        _ task: @escaping @Sendable (BaseDataTransaction) throws -> Void
    ) -> Result<Void, CoreStoreError> {
        let done = DispatchSemaphore(value: 0)
        let outcome = Locked<Result<Void, CoreStoreError>?>(nil)
        watched.stack.perform(
            asynchronous: { try task($0) }, options: options,
            completion: { result in
                outcome.withLock { $0 = result.map { _ in } }
                done.signal()
            })
        done.wait()
        watched.view.sync {}
        return outcome.withLock { $0 } ?? .success(())
    }

    /// Makes random changes in a transaction and in the model.
    func edit(_ transaction: BaseDataTransaction, _ world: inout World, saved: World, _ dice: inout Dice) throws {
        placed = []
        var cast = dice.isOne(in: 2) ? try Cast(transaction, registry) : Cast(registry)
        for _ in 0..<(1 + dice.next(5)) {
            let operation = Operation.random(world, saved: saved, &dice, newID: registry.newNumber)
            note("\(operation)")
            try cast.apply(operation, in: transaction)
            placed.formUnion(world.placed(by: operation))
            world.apply(operation, saved: saved)
            if dice.isOne(in: 12) {
                try Cast(transaction, registry).world().expect(world.visible, "the content of the transaction")
            }
        }
    }

    private func judge(
        _ result: Result<Void, CoreStoreError>, _ watched: WatchedStack, before: World, after: World,
        _ policy: World.Policy, isDiscarded: Bool
    ) throws {
        var unordered: Set<Int> = []
        let named = after.uniquelyNamed(saved: before, policy, unordered: &unordered)
        switch result {
        case .failure(.userError(let error as Mismatch)): throw error
        case .failure(.userError(is Discarded)) where isDiscarded: break
        case .failure(let error) where after.isDenied:
            guard error.storageError?.code == .invalidValue else { throw error }
        case .failure(let error) where named == nil:
            guard error.storageError?.code == .uniqueViolation else { throw error }
        case .failure(let error): throw error
        case .success:
            guard !after.isDenied, var named else { throw Mismatch("no error, but the transaction cannot be saved") }
            named.denials = [:]
            if !unordered.isEmpty {
                named.adoptOrder(.tags, of: unordered, from: try test.stack.read { try Cast($0, registry).world() })
            }
            save(named, by: watched, linked: placed, placed: placed)
        }
    }
}

/// The changes of a transaction in the model.
private final class Draft: @unchecked Sendable {  // Sendable: the run does one thing at a time.
    var world: World
    var dice: Dice

    init(_ world: World, _ dice: Dice) { (self.world, self.dice) = (world, dice) }
}
