import Coffer
import Foundation
import TestSupport
import Testing

private typealias Person = Town.Person

/// Edge cases of editing a copy of a list.
@MainActor
struct SnapshotEditingTests {
    /// Returns a list with Ann and Cat in Oslo, and Bob and Dan in Rome.
    private static func snapshot(
        _ backend: TestBackend
    ) throws -> (test: TestStack, list: ListPublisher<Person>, ids: [String: ObjectID]) {
        let test = try Town.empty(backend)
        for (name, city) in [("Ann", "Oslo"), ("Bob", "Rome"), ("Cat", "Oslo"), ("Dan", "Rome")] {
            try test.add(name, city: city)
        }
        let list = test.stack.publishList(
            From<Person>().sectionBy(\.$city).orderBy(.ascending(\.$city), .ascending(\.$name)))
        let people = try test.stack.fetchAll(From<Person>())
        return (test, list, Dictionary(uniqueKeysWithValues: people.map { ($0.name, $0.objectID()) }))
    }

    @Test(.pins("OBS-58"), arguments: TestBackend.allCases)
    func `items are appended to the last section unless another is named`(_ backend: TestBackend) throws {
        let (test, list, ids) = try Self.snapshot(backend)
        defer { withExtendedLifetime(test) {} }
        var edited = list.snapshot
        edited.deleteItems(withIDs: [ids["Ann"]!, ids["Bob"]!])
        edited.appendItems(withIDs: [ids["Ann"]!])
        #expect(edited.text == "Oslo: Cat, Rome: Dan Ann")
        edited.appendItems(withIDs: [ids["Bob"]!], toSectionWithID: "Oslo")
        #expect(edited.text == "Oslo: Cat Bob, Rome: Dan Ann")
        edited.deleteItems(withIDs: [ids["Bob"]!])
        edited.appendItems(with: [ids["Bob"]!], toSectionAt: 0)
        #expect(edited.text == "Oslo: Cat Bob, Rome: Dan Ann")
    }

    @Test(.pins("OBS-56", "OBS-58"), arguments: TestBackend.allCases)
    func `items are inserted after another, sections at a place, and items reloaded at their places`(
        _ backend: TestBackend
    ) throws {
        let (test, list, ids) = try Self.snapshot(backend)
        defer { withExtendedLifetime(test) {} }
        var edited = list.snapshot
        edited.deleteItems(withIDs: [ids["Bob"]!, ids["Dan"]!])
        edited.insertItems(withIDs: [ids["Bob"]!], afterItemID: ids["Ann"]!)
        edited.insertItems(withIDs: [ids["Dan"]!], afterItemID: ids["Cat"]!)
        #expect(edited.text == "Oslo: Ann Bob Cat Dan, Rome: ")
        edited.insertSections(["X", "Y"], at: 1)
        edited.insertSections(["Z"], at: 4)
        #expect(edited.sectionIDs == ["Oslo", "X", "Y", "Rome", "Z"])
        edited.reloadItems(at: [[0, 1], [0, 3]])
        #expect(edited.updatedItemIdentifiers == [ids["Bob"]!, ids["Dan"]!])
        #expect(list.snapshot.updatedItemIdentifiers.isEmpty)
    }

    @Test(.pins("OBS-54", "OBS-58"), arguments: TestBackend.allCases)
    func `a copy is equal until it is edited, even if the edit is reversed`(
        _ backend: TestBackend
    ) throws {
        let (test, list, ids) = try Self.snapshot(backend)
        defer { withExtendedLifetime(test) {} }
        let original = list.snapshot
        let edits: [(inout ListSnapshot<Person>) -> Void] = [
            { $0.deleteItems(withIDs: [ids["Ann"]!]) }, { $0.deleteItems(at: [[1, 0]]) },
            { $0.reloadItems(withIDs: [ids["Ann"]!]) }, { $0.moveItem(at: [0, 0], to: [0, 1]) },
            { $0.moveItem(withID: ids["Ann"]!, afterItemID: ids["Bob"]!) }, { $0.deleteAllItems() },
            { $0.appendSections(withIDs: ["X"]) }, { $0.deleteSections(at: [0]) }, { $0.moveSection(at: 0, to: 2) },
        ]
        for (index, edit) in edits.enumerated() {
            var edited = original
            #expect(edited == original && edited.hashValue == original.hashValue)
            edit(&edited)
            #expect(edited != original && original != edited, "\(index)")
            let copy = edited
            #expect(copy == edited && Set([copy, edited, original]).count == 2)
        }
        var edited = original
        edited.appendSections(withIDs: ["X"])
        edited.deleteSections(withIDs: ["X"])
        #expect(edited.itemIDs == original.itemIDs && edited.sectionIDs == original.sectionIDs)
        #expect(edited != original && original == list.snapshot)
    }

    @Test(.pins("OBS-58"), arguments: TestBackend.allCases)
    func `deleting and reloading ignore unknown ids`(_ backend: TestBackend) throws {
        let (test, list, ids) = try Self.snapshot(backend)
        try test.add("Eve", city: "Bern")
        let stranger = try #require(try test.person("Eve")).objectID()
        var edited = list.snapshot
        edited.deleteItems(withIDs: [stranger])
        let before = edited.text
        edited.deleteItems(withIDs: [stranger, stranger])
        #expect(edited.text == before)
        edited.reloadItems(withIDs: [stranger])
        #expect(edited.updatedItemIdentifiers == [])
        edited.reloadItems(withIDs: [stranger, ids["Cat"]!])
        #expect(edited.updatedItemIdentifiers == [ids["Cat"]!])
        edited.deleteSections(withIDs: ["Nowhere"])
        #expect(edited.text == before)
    }

    @Test(.pins("OBS-58"), arguments: TestBackend.allCases)
    func `an item is removed first, then inserted`(_ backend: TestBackend) throws {
        let (test, list, _) = try Self.snapshot(backend)
        defer { withExtendedLifetime(test) {} }
        var edited = list.snapshot
        // After Ann is removed, place 1 of her section is after Cat.
        edited.moveItem(at: [0, 0], to: [0, 1])
        #expect(edited.text == "Oslo: Cat Ann, Rome: Bob Dan")
        edited.moveItem(at: [1, 1], to: [0, 2])
        #expect(edited.text == "Oslo: Cat Ann Dan, Rome: Bob")
    }

    @Test(.pins("OBS-58"), arguments: TestBackend.allCases)
    func `the target of a section move is an offset in the list before the move`(_ backend: TestBackend) throws {
        let (test, list, _) = try Self.snapshot(backend)
        defer { withExtendedLifetime(test) {} }
        func moved(_ from: Int, _ to: Int) -> String {
            var edited = list.snapshot
            edited.deleteAllItems()
            edited.appendSections(withIDs: ["X", "Y"])
            edited.moveSection(at: from, to: to)
            return edited.sectionIDs.joined(separator: " ")
        }
        #expect(moved(0, 0) == "Oslo Rome X Y" && moved(0, 1) == "Oslo Rome X Y")
        #expect(moved(0, 2) == "Rome Oslo X Y" && moved(0, 4) == "Rome X Y Oslo")
        #expect(moved(3, 0) == "Y Oslo Rome X" && moved(3, 3) == "Oslo Rome X Y" && moved(2, 1) == "Oslo X Rome Y")
    }

    @Test(.pins("OBS-58"), arguments: TestBackend.allCases)
    func `deleting all items of a snapshot keeps its sections and the stored objects`(
        _ backend: TestBackend
    ) throws {
        let (test, list, _) = try Self.snapshot(backend)
        var edited = list.snapshot
        edited.deleteAllItems()
        #expect(edited.sectionIDs == ["Oslo", "Rome"] && edited.numberOfItems == 0)
        #expect(list.snapshot.text == "Oslo: Ann Cat, Rome: Bob Dan")
        #expect(try test.stack.fetchCount(From<Person>()) == 4)
    }

    @Test(.pins("OBS-58")) func `an edit relative to something unknown stops the program`() async {
        await #expect(processExitsWith: .failure) {
            try await SnapshotEditingTests.edit { edited, ids in
                edited.deleteSections(withIDs: ["Oslo", "Rome"])
                edited.appendItems(withIDs: [ids["Ann"]!])
            }
        }
        await #expect(processExitsWith: .failure) {
            try await SnapshotEditingTests.edit { edited, ids in
                edited.deleteItems(withIDs: [ids["Ann"]!, ids["Bob"]!])
                edited.insertItems(withIDs: [ids["Bob"]!], beforeItemID: ids["Ann"]!)
            }
        }
        await #expect(processExitsWith: .failure) {
            try await SnapshotEditingTests.edit { edited, ids in
                edited.deleteItems(withIDs: [ids["Ann"]!, ids["Bob"]!])
                edited.insertItems(withIDs: [ids["Bob"]!], afterItemID: ids["Ann"]!)
            }
        }
        await #expect(processExitsWith: .failure) {
            try await SnapshotEditingTests.edit { edited, ids in
                edited.deleteItems(withIDs: [ids["Ann"]!])
                edited.moveItem(withID: ids["Bob"]!, beforeItemID: ids["Ann"]!)
            }
        }
        await #expect(processExitsWith: .failure) {
            try await SnapshotEditingTests.edit { edited, ids in
                edited.deleteItems(withIDs: [ids["Ann"]!])
                edited.moveItem(withID: ids["Ann"]!, afterItemID: ids["Bob"]!)
            }
        }
        await #expect(processExitsWith: .success) {
            try await SnapshotEditingTests.edit { edited, ids in
                edited.moveItem(withID: ids["Ann"]!, afterItemID: ids["Bob"]!)
            }
        }
    }

    @Test(.pins("OBS-58")) func `an edit in an unknown section or at a place out of range stops the program`() async {
        await #expect(processExitsWith: .failure) {
            try await SnapshotEditingTests.edit { edited, ids in
                edited.deleteItems(withIDs: [ids["Ann"]!])
                edited.appendItems(withIDs: [ids["Ann"]!], toSectionWithID: "Bern")
            }
        }
        await #expect(processExitsWith: .failure) {
            try await SnapshotEditingTests.edit { edited, ids in
                edited.deleteItems(withIDs: [ids["Ann"]!])
                edited.insertItems(withIDs: [ids["Ann"]!], at: [2, 0])
            }
        }
        await #expect(processExitsWith: .failure) {
            try await SnapshotEditingTests.edit { edited, _ in edited.moveItem(at: [0, 2], to: [0, 0]) }
        }
        await #expect(processExitsWith: .failure) {
            try await SnapshotEditingTests.edit { edited, _ in edited.moveSection(at: 2, to: 0) }
        }
        await #expect(processExitsWith: .success) {
            try await SnapshotEditingTests.edit { edited, _ in edited.moveItem(at: [0, 1], to: [1, 2]) }
        }
    }

    /// Edits a snapshot in a process that a test observes, and ends the process successfully.
    static func edit(_ body: (inout ListSnapshot<Town.Person>, [String: ObjectID]) -> Void) throws {
        let (test, list, ids) = try snapshot(.memory)
        var edited = list.snapshot
        withExtendedLifetime(test) { body(&edited, ids) }
        exit(0)
    }
}
