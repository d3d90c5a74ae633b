import Coffer
import CofferStorage
import Foundation
import TestSupport
import Testing

private final class Note: CoreStoreObject {
    @Field.Stored("size") var size: Int = 0
}

private let schema = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Note>("Note")])

/// Conditions with the greatest depth that is allowed.
@MainActor
struct DeepConditionTests {
    @Test(.pins("CLS-21"), arguments: TestBackend.allCases)
    func `the deepest conditions are evaluated on a thread with a stack of one megabyte`(
        _ backend: TestBackend
    ) async throws {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { transaction in
            for size in 1...3 { transaction.create(Into<Note>()).size = size }
        })
        let stack = test.stack
        let counts = try await onSmallStack {
            try stack.read({ reading in
                // The two outermost levels determine the result, whatever the innermost condition is.
                var alternating: Where<Note> = \.$size == 9
                for _ in 0..<48 { alternating = (alternating && \.$size > 0) || \.$size == 2 }
                var negated: Where<Note> = \.$size == 2
                for _ in 0..<98 { negated = !negated }
                var sum = \Note.$size + 0
                for _ in 0..<97 { sum = sum + 1 }
                return try [alternating, negated, sum == 99].map {
                    try reading.fetchCount(From<Note>().where($0))
                }
            })
        }
        #expect(counts == [1, 1, 1])
    }

    private func onSmallStack<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result
    {
        try await withCheckedThrowingContinuation { continuation in
            let thread = Thread { continuation.resume(with: Swift.Result { try body() }) }
            // With a sanitizer, stack frames are several times as large.
            thread.stackSize = ProcessInfo.processInfo.environment["COFFER_SANITIZER"] == nil ? 1 << 20 : 16 << 20
            thread.start()
        }
    }
}
