import CofferStorage
import Foundation

/// Runs a case on a store, and reports a failure; the case of a rule that the store is known to break must fail.
extension ConformanceCase {
    /// Checks the rule on a kind of store.
    ///
    /// - Parameters:
    ///   - fixture: the type that creates the place of the store.
    ///   - exceptions: the ids of rules that the store is known to break, each with the reason. The case of such a rule
    ///     must fail. As soon as it passes, the run fails until the exception is removed.
    /// - Throws: ``ConformanceFailure`` if the store breaks the rule.
    public func run<Fixture: StorageFixture>(
        on fixture: Fixture.Type, exceptions: [String: String] = [:]
    ) async throws {
        if let unknown = exceptions.keys.sorted().first(where: { key in !Self.everything.contains { $0.id == key } }) {
            throw failure("The exceptions name '\(unknown)', which is not a case. Remove it.")
        }
        let found = await attempt { try Fixture() }
        switch (found, exceptions[id]) {
        case (nil, nil), (_?, _?): return
        case (let found?, nil): throw found
        case (nil, let reason?):
            throw failure("The case passes now, but is listed as an exception ('\(reason)'). Remove the exception.")
        }
    }

    /// Checks the rule on a new thread, because stores may block.
    func attempt(_ makeFixture: @escaping @Sendable () throws -> any StorageFixture) async -> ConformanceFailure? {
        await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: attemptHere(makeFixture)) }
            thread.stackSize = 8 << 20
            thread.start()
        }
    }

    private func attemptHere(_ makeFixture: () throws -> any StorageFixture) -> ConformanceFailure? {
        do {
            let place = try makeFixture()
            let context = TestContext(place)
            defer {
                context.closeAll()
                place.destroy()
            }
            try body(context)
            return nil
        } catch let mismatch as Mismatch {
            return failure(mismatch.message)
        } catch let error as StorageError {
            return failure("  threw: \(error)\(error.cause.map { " Cause: \($0)" } ?? "")")
        } catch {
            return failure("  threw: \(error)")
        }
    }

    private func failure(_ message: String) -> ConformanceFailure {
        ConformanceFailure(id: id, rule: rule, message: message)
    }
}
