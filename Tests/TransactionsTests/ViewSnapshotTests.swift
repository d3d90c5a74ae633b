import Coffer
import CofferStorage
import Foundation
import TestSupport
import Testing

/// The snapshot from which the view reads during a commit.
struct ViewSnapshotTests {
    final class Page: CoreStoreObject {
        @Field.Stored("number") var number: Int = 0
    }

    private static let schema = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Page>("Page")])

    @Test(.pins("TX-05"), arguments: TestBackend.allCases)
    func `a snapshot stays open while the view queue reads it, also after a failed commit`(
        _ backend: TestBackend
    ) throws {
        let queue = DispatchQueue(label: "view")
        let test = try ProbedStack(backend, Self.schema, viewQueue: queue)
        try test.stack.perform(synchronous: { $0.create(Into<Page>()).number = 1 })
        // The view queue uses the stack from here on.
        let page = try queue.sync { try test.stack.fetchOne(From<Page>()) }
        let (isReading, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let found = Locked<Int?>(nil)
        let hasRead = DispatchSemaphore(value: 0)
        test.store.fail(.commit, with: StorageError(.conflict, "Another was faster."))
        test.store.atNext(.commit) {
            test.store.atNext(.read) {
                isReading.signal()
                _ = isOver.wait(timeout: .now() + 300)
            }
            queue.async {
                found.withLock { $0 = try? test.stack.fetchCount(From<Page>()) }
                hasRead.signal()
            }
            _ = isReading.wait(timeout: .now() + 300)
        }
        let unsafe = test.stack.beginUnsafe()
        unsafe.create(Into<Page>()).number = 2
        #expect(throws: CoreStoreError.self) { try unsafe.commitAndWait() }
        isOver.signal()
        #expect(hasRead.wait(timeout: .now() + 300) == .success)
        #expect(found.withLock { $0 } == 1)
        #expect(test.store.lateReadCount == 0)
        withExtendedLifetime(page) {}
    }
}
