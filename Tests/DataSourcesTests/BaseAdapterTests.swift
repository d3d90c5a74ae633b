import Coffer
import CofferDataSources
import Foundation
import TestSupport
import Testing

/// An adapter updates its target to each snapshot.
@MainActor
struct BaseAdapterTests {
    @Test func `each commit updates the view in steps that produce the new list`() throws {
        let party = try Party()
        party.begin()
        try party.stack.seat("Bob", at: "red")
        #expect(party.asked == ["batch +0", "batch +0.0"])
        try party.stack.seat("Ann", at: "red")
        #expect(party.asked == ["batch +0.0"])
        try party.stack.edit("Ann") { $0.name = "Cat" }
        #expect(party.asked == ["batch 0.0>0.1", "batch ~0.1"])
        try party.stack.edit("Bob") { $0.table = "blue" }
        #expect(party.asked == ["batch +0", "batch 1.0>0.0", "batch ~0.0"])
        #expect(party.shown == "blue: Bob, red: Cat")
        try party.stack.dismiss("Cat")
        #expect(party.asked == ["batch -1"])
        #expect(party.shown == "blue: Bob")
        #expect(party.board.animations == [true])
    }

    @Test func `applying an unchanged snapshot does not update the view`() throws {
        let party = try Party()
        var ends = 0
        party.adapter.apply(party.list.snapshot) { ends += 1 }
        party.adapter.apply(party.list.snapshot) { ends += 1 }
        #expect(party.asked == [])
        #expect(ends == 2)
    }

    @Test func `the view shows the list after each of 300 random commits`() throws {
        let seed = ProcessInfo.processInfo.environment["COFFER_SEED"].flatMap(UInt64.init) ?? .random(in: 0...9999)
        print("BaseAdapterTests: COFFER_SEED=\(seed)")
        var random = SeededGenerator(seed: seed)
        let party = try Party()
        party.begin()
        let tables = ["red", "blue", "green", "white"]
        for commit in 0..<300 {
            let size = Int.random(in: 1...6, using: &random)
            let draws = (0..<size).map { _ in (Int.random(in: 0..<10), Int.random(in: 0..<1000), Int.random(in: 0..<4))
            }
            try party.stack.perform(synchronous: { transaction in
                for (kind, number, table) in draws {
                    let guests = try transaction.fetchAll(Guest.named)
                    let guest = guests.isEmpty ? nil : guests[number % guests.count]
                    switch kind {
                    case 0...3:
                        let guest = transaction.create(Into<Guest>())
                        (guest.name, guest.table) = ("\(number)", tables[table])
                    case 4...5: guest?.name = "\(number)"
                    case 6...7: guest?.table = tables[table]
                    default: if let guest { transaction.delete(guest) }
                    }
                }
            })
            party.board.isOnScreen = Int.random(in: 0..<8, using: &random) > 0
            party.animates = Bool.random(using: &random)
            let (shown, list) = (party.board.sections, party.list.snapshot)
            #expect(shown.flatMap(\.ids) == list.itemIDs, "seed \(seed), commit \(commit)")
            #expect(shown.map(\.name) == list.sectionIDs, "seed \(seed), commit \(commit)")
        }
    }

    @Test func `updates are not animated if the caller disables animation`() throws {
        let party = try Party()
        party.animates = false
        party.begin()
        try party.stack.seat("Ann", at: "red")
        try party.stack.edit("Ann") { $0.name = "Bob" }
        party.adapter.purge(animatingDifferences: false)
        #expect(party.asked == ["batch +0", "batch +0.0", "batch ~0.0", "batch -0"])
        #expect(party.board.animations == [false])
    }

    // MARK: Off screen

    @Test func `an off-screen view is reloaded once for several snapshots until it reads its items`() throws {
        let party = try Party { $0.publishList(Guest.named) }
        party.begin()
        (party.board.isOnScreen, party.board.asksAtOnce) = (false, false)
        for name in ["Ann", "Bob", "Cat"] { try party.stack.seat(name) }
        #expect(party.asked == ["reload"])
        #expect(party.adapter.numberOfItems(inSection: 0) == 3)
        party.board.layOut()
        #expect(party.shown == ": Ann Bob Cat")
        try party.stack.seat("Dan")
        try party.stack.seat("Eve")
        #expect(party.asked == ["reload"])
        (party.board.isOnScreen, party.board.asksAtOnce) = (true, true)
        // The view was told to reload and has not read its items since. It has no items from which to animate.
        try party.stack.dismiss("Ann")
        #expect(party.asked == ["reload"])
        try party.stack.dismiss("Bob")
        #expect(party.asked == ["batch -0.0"])
        #expect(party.shown == ": Cat Dan Eve")
    }

    @Test func `an off-screen view that reads its items at once is reloaded for each snapshot`() throws {
        let party = try Party { $0.publishList(Guest.named) }
        party.begin()
        party.board.isOnScreen = false
        for name in ["Ann", "Bob"] { try party.stack.seat(name) }
        #expect(party.asked == ["reload", "reload"])
        #expect(party.shown == ": Ann Bob")
    }

    @Test func `a new view that has read no items is reloaded, even on screen`() throws {
        let party = try Party { $0.publishList(Guest.named) }
        try party.stack.seat("Ann")
        let board = Board()
        let adapter = Board.Adapter(target: board, dataStack: party.stack)
        board.adapter = adapter
        adapter.apply(party.list.snapshot)
        #expect(board.transcript == ["reload"])
        #expect(board.sections.flatMap(\.ids) == party.list.snapshot.itemIDs)
    }

    // MARK: One at a time

    @Test func `after a batch, only the last of the snapshots applied during the batch is shown`() throws {
        let party = try Party { $0.publishList(Guest.named) }
        var snapshots: [ListSnapshot<Guest>] = []
        for name in ["Ann", "Bob", "Cat", "Dan"] {
            try party.stack.seat(name)
            snapshots.append(party.list.snapshot)
        }
        var ends: [Int] = []
        party.board.onBatch = {
            party.board.onBatch = nil
            for number in 1...3 { party.adapter.apply(snapshots[number]) { ends.append(number) } }
            #expect(ends == [])
        }
        party.adapter.apply(snapshots[0]) { ends.append(0) }
        #expect(party.asked == ["batch +0", "batch +0.0", "batch +0.1,0.2,0.3"])
        #expect(ends == [0, 1, 2, 3])
        #expect(party.shown == ": Ann Bob Cat Dan")
    }

    @Test func `an item whose reload was in a skipped snapshot is reloaded with the next snapshot`() throws {
        let party = try Party { $0.publishList(Guest.named) }
        let ann = try party.stack.seat("Ann")
        let first = party.list.snapshot
        try party.stack.seat("Bob")
        let last = party.list.snapshot
        party.adapter.apply(first)
        party.board.transcript = []
        party.board.onBatch = {
            party.board.onBatch = nil
            // The snapshot of a commit that changed an object related to Ann has such a reload.
            var leftOut = first
            leftOut.reloadItems(withIDs: [ann])
            party.adapter.apply(leftOut)
            party.adapter.apply(last)
        }
        try party.stack.seat("Cat")
        party.adapter.apply(party.list.snapshot)
        // The last snapshot is that of the commit which added Bob.
        #expect(party.asked == ["batch +0.1,0.2", "batch -0.2", "batch ~0.0,0.1"])
        #expect(party.shown == ": Ann Bob")
    }

    @Test func `a completion is called after the last batch has ended`() throws {
        let party = try Party()
        try party.stack.seat("Ann", at: "red")
        party.board.completions = []
        var ends = 0
        party.adapter.apply(party.list.snapshot) { ends += 1 }
        let completions = try #require(party.board.completions)
        #expect(completions.count == 2)
        completions[0]()
        #expect(ends == 0)
        completions[1]()
        #expect(ends == 1)
    }

    @Test func `a completion can apply another snapshot`() throws {
        let party = try Party { $0.publishList(Guest.named) }
        try party.stack.seat("Ann")
        let first = party.list.snapshot
        try party.stack.seat("Bob")
        party.adapter.apply(first) { party.adapter.apply(party.list.snapshot) }
        #expect(party.asked == ["batch +0", "batch +0.0", "batch +0.1"])
    }

    @Test func `a view that does not run the updates of a batch is reloaded`() throws {
        let party = try Party { $0.publishList(Guest.named) }
        party.begin()
        party.board.runsUpdates = false
        try party.stack.seat("Ann")
        #expect(party.asked == ["batch ", "reload"])
        #expect(party.shown == ": Ann")
    }

    // MARK: Answers

    @Test func `the adapter returns the sections and items of the snapshot that the view shows`() throws {
        let party = try Party {
            $0.publishList(
                From<Guest>().sectionBy(\.$table, sectionIndexTransformer: { $0.map { String($0.prefix(1)) } })
                    .orderBy(.ascending(\.$table), .ascending(\.$name)))
        }
        let adapter = party.adapter
        let ann = try party.stack.seat("Ann", at: "red")
        let bob = try party.stack.seat("Bob", at: "blue")
        adapter.apply(party.list.snapshot)
        #expect(adapter.numberOfSections() == 2)
        #expect(adapter.numberOfItems(inSection: 1) == 1)
        #expect(adapter.numberOfItems(inSection: 2) == nil)
        #expect(adapter.sectionID(for: 0) == "blue")
        #expect(adapter.sectionID(for: -1) == nil)
        #expect(adapter.itemID(for: [0, 0]) == bob)
        #expect(adapter.itemID(for: [0, 1]) == nil)
        #expect(adapter.itemID(for: [2, 0]) == nil)
        #expect(adapter.indexPath(for: ann) == [1, 0])
        #expect(adapter.sectionIndexTitle(for: 1) == "r")
        #expect(adapter.sectionIndexTitle(for: 2) == nil)
        #expect(adapter.sectionIndexTitlesForAllSections() == ["b", "r"])
        try party.stack.dismiss("Ann")
        // The snapshot of that commit was not applied.
        #expect(adapter.indexPath(for: ann) == [1, 0])
        adapter.purge()
        #expect(adapter.numberOfSections() == 0)
        #expect(adapter.indexPath(for: bob) == nil)
    }

    @Test func `a list of custom sections and fetched sections shows the titles of the fetched sections`() throws {
        let party = try Party {
            $0.publishList(
                From<Guest>().sectionBy(\.$table, sectionIndexTransformer: { $0 })
                    .orderBy(.ascending(\.$table), .ascending(\.$name)))
        }
        let ann = try party.stack.seat("Ann", at: "red")
        let bob = try party.stack.seat("Bob", at: "blue")
        var snapshot = party.adapter.makeEmptySnapshot()
        snapshot.appendSections(withIDs: ["favourites"])
        snapshot.appendItems(withIDs: [ann])
        party.adapter.apply(snapshot)
        #expect(party.shown == "favourites: Ann")
        #expect(party.adapter.sectionIndexTitle(for: 0) == nil)
        snapshot = party.list.snapshot
        snapshot.insertSections(["favourites"], at: 0)
        snapshot.moveItem(at: [1, 0], to: [0, 0])
        party.adapter.apply(snapshot)
        #expect(party.shown == "favourites: Bob, blue: , red: Ann")
        #expect(party.adapter.indexPath(for: bob) == [0, 0])
        #expect(party.adapter.sectionIndexTitlesForAllSections() == [nil, "blue", "red"])
    }
}
