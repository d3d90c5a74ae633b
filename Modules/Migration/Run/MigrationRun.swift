import CofferSchema
import CofferStorage
import CofferStorageTools
import CofferTransactions
import Foundation

/// One migration of one storage, from finding the steps to reporting what was done.
struct MigrationRun: Sendable {
    let stack: DataStack
    let storage: any StorageInterface
    /// What the store said about itself when the steps were planned.
    let found: StoreMetadata?
    let steps: [MigrationPlan]
    let progress: ObservedProgress

    /// - Throws: `mappingModelNotFound`, `progressiveMigrationRequired`, `internalError`.
    init(_ stack: DataStack, _ storage: any StorageInterface) throws(CoreStoreError) {
        self.stack = stack
        self.storage = storage
        found = try stack.planner.found(in: storage)
        steps = try stack.planner.steps(of: storage, holding: found)
        progress = ObservedProgress(stepCount: steps.count, queue: stack.viewQueue)
    }

    private init(again run: MigrationRun) throws(CoreStoreError) {
        (stack, storage, progress) = (run.stack, run.storage, run.progress)
        found = try stack.planner.found(in: storage)
        steps = try stack.planner.steps(of: storage, holding: found)
    }

    /// A run with the steps that the store needs now, and the same progress.
    func planned() throws(CoreStoreError) -> MigrationRun {
        try MigrationRun(again: self)
    }

    var types: [MigrationType] { steps.map(MigrationType.init) }

    /// Migrates the storage.
    ///
    /// - Throws: `userError` with what a transformer threw, `userCancelled`, `internalError`.
    func run() throws(CoreStoreError) {
        let thrown = Locked<(any Error)?>(nil)
        do throws(StorageError) {
            try stack.planner.logDroppedData(of: storage, by: steps)
            try storage.migrate(along: steps.map { $0.noting(thrown) }) { report throws(StorageError) in
                do throws(StorageError) {
                    try progress.report(report)
                } catch {
                    thrown.withLock { $0 = $0 ?? CoreStoreError.userCancelled }
                    throw error
                }
            }
        } catch {
            switch thrown.withLock(\.self) {
            case nil, is StorageError: throw CoreStoreError(error)
            case let known as CoreStoreError: throw known
            case let other?: throw .userError(error: other)
            }
        }
    }
}

extension MigrationPlan {
    /// The same plan, which notes the first error that a transformation throws.
    fileprivate func noting(_ thrown: Locked<(any Error)?>) -> MigrationPlan {
        var plan = self
        for (index, entity) in entities.enumerated() {
            guard let transformation = entity.transformation else { continue }
            plan.entities[index].transformation = { row in
                do {
                    try transformation(row)
                } catch {
                    thrown.withLock { $0 = $0 ?? error }
                    throw error
                }
            }
        }
        return plan
    }
}
