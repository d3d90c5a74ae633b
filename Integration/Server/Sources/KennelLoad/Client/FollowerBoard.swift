import Foundation
import NIOCore
import Synchronization

/// Records which followers have received an event with the awaited nicknames.
final class FollowerBoard: Sendable {
    private struct State {
        var awaited: [[UInt8]] = []
        var round = 0
        var reached: Set<Int> = []
        var waiting: CheckedContinuation<Void, any Error>?
        var failure: LoadError?
        var events: [Int: ByteBuffer] = [:]
        var eventCount = 0
        var isFinished = false
    }

    private let followerCount: Int
    private let state = Mutex(State())

    init(followers: Int) {
        followerCount = followers
    }

    /// The newest event of each follower.
    var events: [ByteBuffer] { state.withLock { Array($0.events.values) } }
    /// The number of events of all followers.
    var eventCount: Int { state.withLock { $0.eventCount } }

    /// Begins a round: each follower has to receive one event with all these nicknames.
    func await(_ nicknames: [String]) {
        state.withLock { state in
            state.awaited = nicknames.map { Array("\"\($0)\"".utf8) }
            state.round += 1
            state.reached = []
        }
    }

    /// Waits until all followers have received the event, for a minute at most.
    func waitForAll() async throws {
        let timer = Task {
            try await Task.sleep(for: .seconds(60))
            fail(LoadError("\(state.withLock { followerCount - $0.reached.count }) followers missed a change."))
        }
        defer { timer.cancel() }
        try await withCheckedThrowingContinuation { continuation in
            let result: Result<Void, any Error>? = state.withLock { state in
                if let failure = state.failure { return .failure(failure) }
                if state.reached.count == followerCount { return .success(()) }
                state.waiting = continuation
                return nil
            }
            if let result { continuation.resume(with: result) }
        }
    }

    /// Records an event of a follower.
    func receive(_ event: ByteBuffer, _ follower: Int) {
        let (awaited, round) = state.withLock { ($0.awaited, $0.round) }
        let isComplete = event.withUnsafeReadableBytes { bytes in
            awaited.allSatisfy { nickname in nickname.withUnsafeBytes { bytes.firstIndex(of: $0) } != nil }
        }
        let waiting = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            state.events[follower] = event
            state.eventCount += 1
            guard isComplete, state.round == round, state.reached.insert(follower).inserted,
                state.reached.count == followerCount
            else { return nil }
            return state.waiting.take()
        }
        waiting?.resume()
    }

    /// Ends the work; afterwards, a follower may close its connection.
    func finish() { state.withLock { $0.isFinished = true } }

    /// Reports that the connection of a follower has ended.
    func lose(_ follower: Int) {
        guard !state.withLock(\.isFinished) else { return }
        fail(LoadError("The connection of a follower ended."))
    }

    private func fail(_ error: LoadError) {
        let waiting = state.withLock { state in
            state.failure = error
            return state.waiting.take()
        }
        waiting?.resume(throwing: error)
    }
}
