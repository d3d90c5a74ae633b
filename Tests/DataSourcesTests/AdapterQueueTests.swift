import Coffer
import Dispatch
import Foundation
import TestSupport
import Testing

@testable import CofferDataSources

/// An adapter works on the main queue, and never while its view waits for an answer.
@MainActor
// Serialized: a recording contains all reports about the class, from any test.
@Suite(.serialized)
struct AdapterQueueTests {
    @Test func `snapshots of a data stack with another view queue are shown on the main queue`() async throws {
        let queue = DispatchQueue(label: "view")
        let test = try TestStack(.memory, Guest.schema, viewQueue: queue)
        let board = Board()
        let adapter = Board.Adapter(target: board, dataStack: test.stack)
        board.adapter = adapter
        // As in Swift 5 mode, the compiler lets the observer call the adapter on the view queue.
        nonisolated(unsafe) let list = queue.sync { test.stack.publishList(Guest.named) }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let apply: @MainActor @Sendable (ListSnapshot<Guest>) -> Void = { snapshot in
                adapter.apply(snapshot) { if snapshot.count == 2 { continuation.resume() } }
            }
            let unchecked = unsafeBitCast(apply, to: (@Sendable (ListSnapshot<Guest>) -> Void).self)
            queue.sync {
                list.addObserver(board) { list in
                    #expect(!Thread.isMainThread)
                    unchecked(list.snapshot)
                }
            }
            DispatchQueue.global().async {
                #expect(throws: Never.self) {
                    try test.stack.perform(synchronous: { transaction in
                        for name in ["Ann", "Bob"] { transaction.create(Into<Guest>()).name = name }
                    })
                }
            }
        }
        #expect(board.sections.flatMap(\.ids).count == 2)
    }

    @Test func `a snapshot applied while a cell is created is shown in the next turn of the main queue`()
        async throws
    {
        let party = try Party { $0.publishList(Guest.named) }
        try party.stack.seat("Ann")
        party.adapter.apply(party.list.snapshot)
        _ = party.asked
        party.begin()
        let cell: String? = party.adapter.view(at: [0, 0]) { guest in
            #expect(throws: Never.self) { try party.stack.seat("Bob") }
            #expect(party.asked == [])
            return guest.name
        }
        #expect(cell == "Ann")
        #expect(party.asked == [])
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
        #expect(party.asked == ["batch +0.1"])
    }

    @Test func `reading objects of a data stack with another view queue logs an assertion`() throws {
        let queue = DispatchQueue(label: "view")
        let test = try TestStack(.memory, Guest.schema, viewQueue: queue)
        let adapter = Board.Adapter(target: Board(), dataStack: test.stack)
        let logs = RecordingLogger.record("A view cannot show objects") {
            let cell: String? = adapter.view(at: [0, 0]) { $0.name }
            #expect(cell == nil)
        }
        #expect(
            logs.assertions == [
                "A view cannot show objects of a data stack whose view queue is not the main queue. Create the stack with "
                    + "'viewQueue: .main'."
            ])
    }

    @Test func `a deleted object has no cell and logs a message`() throws {
        let party = try Party { $0.publishList(Guest.named) }
        try party.stack.seat("Ann")
        party.adapter.apply(party.list.snapshot)
        try party.stack.dismiss("Ann")
        let logs = RecordingLogger.record("'Guest' at") {
            let cell: String? = party.adapter.view(at: [0, 0]) { $0.name }
            #expect(cell == nil)
        }
        #expect(
            logs.messages(.warning) == [
                "'Guest' at [0, 0] was deleted after the snapshot. The cell is empty. Apply a newer snapshot."
            ])
    }

    @Test func `a provider that returns nil logs a warning and leaves an empty cell`() throws {
        let party = try Party { $0.publishList(Guest.named) }
        try party.stack.seat("Ann")
        party.adapter.apply(party.list.snapshot)
        let logs = RecordingLogger.record("'Guest' at") {
            let cell: String? = party.adapter.view(at: [0, 0]) { _ in nil }
            #expect(cell == nil)
        }
        #expect(
            logs.messages(.warning) == ["The provider returned nil for 'Guest' at [0, 0]. The cell is empty."])
    }
}
