import Coffer
import Foundation
import TestSupport
import Testing

private typealias Person = Town.Person

@MainActor
struct ListSnapshotTests {
    /// Returns a town with Ann and Cat in Oslo, and Bob and Dan in Rome.
    private func filled(_ backend: TestBackend) throws -> TestStack {
        let test = try Town.empty(backend)
        for (name, city) in [("Ann", "Oslo"), ("Bob", "Rome"), ("Cat", "Oslo"), ("Dan", "Rome")] {
            try test.add(name, city: city)
        }
        return test
    }

    private func byCity(_ test: TestStack) -> ListPublisher<Person> {
        test.stack.publishList(From<Person>().sectionBy(\.$city).orderBy(.ascending(\.$city), .ascending(\.$name)))
    }

    private func id(_ name: String, _ test: TestStack) throws -> ObjectID {
        try #require(try test.person(name)).objectID()
    }

    @Test(.pins("OBS-54"), arguments: TestBackend.allCases)
    func `a snapshot is a value that equals only its unedited copies`(_ backend: TestBackend) throws {
        let test = try filled(backend)
        let list = byCity(test)
        let snapshot = list.snapshot
        var copy = snapshot
        #expect(copy == snapshot && Set([copy, snapshot]).count == 1)
        #expect(snapshot != byCity(test).snapshot)
        copy.deleteAllItems()
        #expect(copy != snapshot && snapshot.count == 4)
        try test.add("Eve", city: "Bern")
        #expect(snapshot.text == "Oslo: Ann Cat, Rome: Bob Dan")
        #expect(list.snapshot.text == "Bern: Eve, Oslo: Ann Cat, Rome: Bob Dan")
        #expect(list.snapshot != snapshot)
        #expect(snapshot.reversed().compactMap { $0.$name } == ["Dan", "Bob", "Cat", "Ann"])
    }

    @Test(.pins("OBS-54"), arguments: TestBackend.allCases)
    func `a snapshot has ids, whose publishers show the current objects`(
        _ backend: TestBackend
    ) throws {
        let test = try filled(backend)
        let list = byCity(test)
        let snapshot = list.snapshot
        let ids = snapshot.itemIDs
        try test.edit("Ann") { ($0.name, $0.city) = ("Zoe", "Bern") }
        try test.delete("Bob")
        #expect(snapshot.itemIDs == ids && snapshot.count == 4 && snapshot.sectionIDs == ["Oslo", "Rome"])
        #expect(snapshot.text == "Oslo: Zoe Cat, Rome: ? Dan")
        #expect(snapshot[0].$name == "Zoe" && snapshot[0].objectID() == ids[0])
        #expect(snapshot[2].object == nil && snapshot[2].objectID() == ids[2])
        #expect(list.snapshot.text == "Bern: Zoe, Oslo: Cat, Rome: Dan")
    }

    @Test(.pins("OBS-55"), arguments: TestBackend.allCases)
    func `empty sections are dropped, and a list without sections has one with an empty name`(
        _ backend: TestBackend
    ) throws {
        let test = try filled(backend)
        let (divided, whole) = (byCity(test), test.stack.publishList(From<Person>().orderBy(.ascending(\.$name))))
        #expect(whole.snapshot.sectionIDs == [""] && whole.snapshot.numberOfSections == 1)
        try test.delete("Ann")
        try test.delete("Cat")
        #expect(divided.snapshot.sectionIDs == ["Rome"])
        try test.stack.perform(synchronous: { try $0.deleteAll(From<Person>()) })
        #expect(divided.snapshot.sectionIDs == [] && whole.snapshot.sectionIDs == [])
        #expect(!whole.snapshot.hasItems() && !whole.snapshot.hasSections())
    }

    @Test(.pins("OBS-57"), arguments: TestBackend.allCases)
    func `a snapshot is read by places and names, with safe and unsafe accessors`(_ backend: TestBackend) throws {
        let test = try filled(backend)
        let snapshot = byCity(test).snapshot
        let (bob, cat) = (try id("Bob", test), try id("Cat", test))
        #expect(snapshot[1].$name == "Cat" && snapshot[1, 0].$name == "Bob" && snapshot[[0, 1]].$name == "Cat")
        #expect(snapshot[safeIndex: 4] == nil && snapshot[safeIndex: -1] == nil && snapshot[safeIndex: 3] != nil)
        #expect(snapshot[safeSectionIndex: 2, safeItemIndex: 0] == nil)
        #expect(snapshot[safeSectionIndex: 0, safeItemIndex: 2] == nil && snapshot[safeIndexPath: [1, 2]] == nil)
        #expect(snapshot[safeIndexPath: [1, 1]]?.$name == "Dan" && snapshot[safeIndexPath: [1]] == nil)
        #expect(snapshot.hasItems(inSectionIndex: 1) && !snapshot.hasItems(inSectionIndex: 2))
        #expect(snapshot.hasItems(inSectionWithID: "Rome") && !snapshot.hasItems(inSectionWithID: "Bern"))
        #expect(snapshot.numberOfItems == 4 && snapshot.numberOfItems(inSectionWithID: "Rome") == 2)
        #expect(snapshot.sectionID(containingItemWithID: bob) == "Rome")
        #expect(snapshot.indexOfItem(withID: cat) == 1 && snapshot.indexOfSection(withID: "Rome") == 1)
        #expect(snapshot.section(containingItemWithID: cat)?.sectionID == "Oslo")
        #expect(snapshot.itemIDs(inSectionWithID: "Rome", atIndices: [1, 0]).last == bob)
        #expect(snapshot.items(atIndices: [3, 0]).map { $0.$name } == ["Dan", "Ann"])
        #expect(snapshot.items(inSectionWithID: "Rome").map { $0.$name } == ["Bob", "Dan"])
        #expect(snapshot.items(inSectionWithID: "Rome", atIndices: [1]).map { $0.$name } == ["Dan"])
        #expect(snapshot.lazy(atIndices: [2]).map { $0.$name } == ["Bob"])
        #expect(snapshot.lazy(inSectionWithID: "Oslo").map { $0.$name } == ["Ann", "Cat"])
        #expect(snapshot.lazy(inSectionWithID: "Oslo", atIndices: [1]).map { $0.$name } == ["Cat"])
    }

    @Test(.pins("OBS-58"), arguments: TestBackend.allCases)
    func `editing the items and sections of a snapshot does not change the list`(
        _ backend: TestBackend
    ) throws {
        let test = try filled(backend)
        let list = byCity(test)
        var edited = list.snapshot
        func change(_ name: String, _ edit: (inout ListSnapshot<Person>, ObjectID) -> Void) throws -> String {
            edit(&edited, try id(name, test))
            return edited.text
        }
        let cat = try id("Cat", test)
        #expect(try change("Ann") { $0.deleteItems(withIDs: [$1, $1]) } == "Oslo: Cat, Rome: Bob Dan")
        #expect(try change("Ann") { $0.appendItems(withIDs: [$1]) } == "Oslo: Cat, Rome: Bob Dan Ann")
        #expect(try change("Ann") { $0.moveItem(withID: $1, beforeItemID: cat) } == "Oslo: Ann Cat, Rome: Bob Dan")
        #expect(try change("Bob") { $0.moveItem(withID: $1, afterItemID: cat) } == "Oslo: Ann Cat Bob, Rome: Dan")
        #expect(try change("Bob") { s, _ in s.moveItem(at: [0, 0], to: [1, 1]) } == "Oslo: Cat Bob, Rome: Dan Ann")
        #expect(try change("Bob") { s, _ in s.deleteItems(at: [[0, 1], [1, 0]]) } == "Oslo: Cat, Rome: Ann")
        #expect(try change("Bob") { $0.insertItems(withIDs: [$1], beforeItemID: cat) } == "Oslo: Bob Cat, Rome: Ann")
        #expect(
            try change("Dan") { $0.insertItems(withIDs: [$1], at: [1, 0]) } == "Oslo: Bob Cat, Rome: Dan Ann")
        #expect(
            try change("Dan") { s, _ in s.appendSections(withIDs: ["A", "B"]) }
                == "Oslo: Bob Cat, Rome: Dan Ann, A: , B: ")
        #expect(try change("Dan") { s, _ in s.moveSection(withID: "Oslo", afterSectionID: "A") }.hasPrefix("Rome"))
        #expect(edited.sectionIDs == ["Rome", "A", "Oslo", "B"])
        edited.moveSection(at: 3, to: 1)
        #expect(edited.sectionIDs == ["Rome", "B", "A", "Oslo"])
        edited.moveSection(withID: "Rome", beforeSectionID: "Oslo")
        edited.insertSections(withIDs: ["C"], beforeSectionID: "A")
        edited.insertSections(withIDs: ["D"], afterSectionID: "Oslo")
        #expect(edited.sectionIDs == ["B", "C", "A", "Rome", "Oslo", "D"])
        edited.deleteSections(withIDs: ["C", "?"])
        edited.deleteSections(at: [0, 1])
        #expect(edited.text == "Rome: Dan Ann, Oslo: Bob Cat, D: ")
        #expect(edited[3].$name == "Cat" && edited[1, 0].$name == "Bob" && edited.indexOfItem(withID: cat) == 3)
        #expect(edited.sectionID(containingItemWithID: cat) == "Oslo")
        edited.reloadItems(withIDs: [cat])
        #expect(edited.updatedItemIdentifiers == [cat])
        edited.deleteAllItems()
        #expect(edited.sectionIDs == ["Rome", "Oslo", "D"] && edited.isEmpty)
        #expect(list.snapshot.text == "Oslo: Ann Cat, Rome: Bob Dan")
        #expect(try test.stack.fetchCount(From<Person>()) == 4)
    }

    @Test(.pins("OBS-59"), arguments: TestBackend.allCases)
    func `a slice of a snapshot has the items at its places`(_ backend: TestBackend) throws {
        let test = try filled(backend)
        let snapshot = byCity(test).snapshot
        #expect(snapshot[1..<3].map { $0.$name } == ["Cat", "Bob"])
        #expect(snapshot.dropFirst(2).map { $0.$name } == ["Bob", "Dan"])
        #expect(snapshot[1..<3][2].$name == "Bob")
    }

    @Test(.pins("OBS-60"), arguments: TestBackend.allCases)
    func `a section is a collection of publishers`(_ backend: TestBackend) throws {
        let test = try filled(backend)
        let sections = byCity(test).snapshot.sections()
        #expect(sections.map(\.sectionID) == ["Oslo", "Rome"])
        #expect(sections[1].map { $0.$name } == ["Bob", "Dan"])
        #expect(sections[1][1].$name == "Dan" && sections[1].count == 2)
        #expect(sections[1].itemIDs == [try id("Bob", test), try id("Dan", test)])
        #expect(sections == byCity(test).snapshot.sections() && sections[0] != sections[1])
    }
}
