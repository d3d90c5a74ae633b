import CofferStorage
import Foundation
import TestSupport
import Testing

@testable import CofferObservation

/// The stages of a difference turn one snapshot into another.
struct ListDifferenceTests {
    private func difference(_ old: DrawnList, _ new: DrawnList) -> ListDifference {
        new.snapshot.difference(from: old.snapshot)
    }

    @Test func `a snapshot does not differ from its copy, and a snapshot of the same list needs no step`() {
        let list = DrawnList([("a", [1, 2]), ("b", [3])])
        let snapshot = list.snapshot
        #expect(snapshot.difference(from: snapshot).isEmpty)
        #expect(difference(list, DrawnList([("a", [1, 2]), ("b", [3])])).stages == [])
    }

    @Test func `sections are inserted and moved, then items, then sections are deleted, then items are reloaded`() {
        let old = DrawnList([("a", [1, 2]), ("b", [3]), ("c", [4, 5])])
        var new = DrawnList([("c", [4, 1, 6]), ("d", [5]), ("a", [2])])
        new.versions[4] = 2
        #expect(
            difference(old, new).text == [
                "+section d @1, section 2 > 0",
                "+6 @0.2, 2.0 > 0.1, 0.1 > 1.0",
                "-section 3",
                "reload 0.0",
            ])
    }

    @Test func `deleting a section deletes its items, except items that move to another section`() {
        let old = DrawnList([("a", [1]), ("b", [2, 3, 4])])
        let new = DrawnList([("a", [3, 1])])
        #expect(difference(old, new).text == ["1.1 > 0.0", "-section 1"])
    }

    @Test func `the changed item is the one that moves, and it is reloaded at its new place`() {
        let old = DrawnList([("", [1, 2, 3])])
        var new = DrawnList([("", [2, 1, 3])])
        new.versions[1] = 2
        #expect(difference(old, new).text == ["0.0 > 0.1", "reload 0.1"])
        new.versions = [2: 2]
        #expect(difference(old, new).text == ["0.1 > 0.0", "reload 0.0"])
    }

    @Test func `an item whose related object changed is reloaded, even if the lists are equal`() {
        let list = DrawnList([("a", [1, 2]), ("b", [3])])
        let (old, tree) = (list.snapshot, list.tree)
        let new = ListSnapshot<Town.Person>(tree, nil, updated: [DrawnList.id(3)])
        let same = ListSnapshot<Town.Person>(tree, nil)
        #expect(new.difference(from: same).text == ["reload 1.0"])
        #expect(new.difference(from: old).text == ["reload 1.0"])
    }

    @Test func `a difference from an edited snapshot reloads objects that changed since it was taken`() {
        var old = DrawnList([("a", [1, 2]), ("b", [3])]).snapshot
        old.moveItem(at: [0, 0], to: [1, 0])
        old.appendSections(withIDs: ["empty"])
        var list = DrawnList([("a", [1, 2]), ("b", [3])])
        list.versions[2] = 2
        #expect(list.snapshot.difference(from: old).text == ["1.0 > 0.0", "-section 2", "reload 0.1"])
    }

    @Test func `a stage that is applied to another snapshot stops the program`() async {
        await #expect(processExitsWith: .failure) {
            let old = DrawnList([("a", [1, 2, 3])])
            let stages = DrawnList([("a", [1, 2, 3, 4])]).snapshot.difference(from: old.snapshot).stages
            var other = DrawnList([("a", [1])]).snapshot
            for stage in stages { other.apply(stage) }
        }
    }

    @Test func `the stages turn the old list into the new list, for 100,000 random batches of changes`() {
        let seed = ProcessInfo.processInfo.environment["COFFER_SEED"].flatMap(UInt64.init) ?? .random(in: 0...9999)
        print("ListDifferenceTests: COFFER_SEED=\(seed)")
        var random = SeededGenerator(seed: seed)
        var (old, before) = (DrawnList([]), DrawnList([]).snapshot)
        for batch in 0..<100_000 {
            var new = old
            new.change(&random)
            let after = new.drawnSnapshot(&random)
            let difference = after.difference(from: before)
            let reached = NaiveList(old).applying(difference)
            guard reached.sections == new.naive.sections, reached.reloaded == old.changed(in: new),
                reached.mistakes.isEmpty
            else {
                Issue.record("seed \(seed), batch \(batch): \(old) → \(new): \(difference.text), \(reached)")
                return
            }
            (old, before) = (new, after)
        }
    }

    @Test func `a snapshot follows the stages, for random batches of changes`() {
        var random = SeededGenerator(seed: 11)
        var old = DrawnList([])
        for batch in 0..<5000 {
            var new = old
            new.change(&random)
            var shown = old.drawnSnapshot(&random)
            let after = new.drawnSnapshot(&random)
            for stage in after.difference(from: shown).stages { shown.apply(stage) }
            #expect(shown.sectionIDs == after.sectionIDs, "batch \(batch)")
            #expect(shown.itemIDs == after.itemIDs, "batch \(batch)")
            #expect(after.difference(from: shown).stages.allSatisfy { !$0.changesItems && !$0.changesSections })
            old = new
        }
    }
}
