import Coffer
import Foundation
import TestSupport
import Testing

private typealias Person = Town.Person

/// The indexes of a list's snapshot.
///
/// An index out of range stops the program and never returns something else.
@MainActor
struct SnapshotReadingTests {
    /// Returns a list with Ann and Cat in Oslo, and Bob and Dan in Rome.
    private static func list(_ backend: TestBackend) throws -> (TestStack, ListSnapshot<Person>) {
        let test = try Town.empty(backend)
        for (name, city) in [("Ann", "Oslo"), ("Bob", "Rome"), ("Cat", "Oslo"), ("Dan", "Rome")] {
            try test.add(name, city: city)
        }
        let list = test.stack.publishList(
            From<Person>().sectionBy(\.$city).orderBy(.ascending(\.$city), .ascending(\.$name)))
        return (test, list.snapshot)
    }

    @Test(.pins("OBS-57"), arguments: TestBackend.allCases)
    func `safe accessors of a snapshot are nil or false out of range`(_ backend: TestBackend) throws {
        let (test, snapshot) = try Self.list(backend)
        defer { withExtendedLifetime(test) {} }
        for index in [-1, 4, Int.max, Int.min] { #expect(snapshot[safeIndex: index] == nil) }
        for (section, item) in [(-1, 0), (0, -1), (0, 2), (1, 2), (2, 0), (Int.max, Int.max)] {
            #expect(snapshot[safeSectionIndex: section, safeItemIndex: item] == nil)
            #expect(snapshot[safeIndexPath: IndexPath(indexes: [section, item])] == nil)
        }
        for path in [[], [0], [0, 0, 0]] { #expect(snapshot[safeIndexPath: IndexPath(indexes: path)] == nil) }
        for section in [-1, 2, Int.max] { #expect(!snapshot.hasItems(inSectionIndex: section)) }
        #expect(!snapshot.hasItems(inSectionWithID: "") && !snapshot.hasItems(inSectionWithID: "Bern"))
        #expect(snapshot.indexOfSection(withID: "Bern") == nil)
    }

    @Test(.pins("OBS-57")) func `an unknown section stops the program`() async {
        await #expect(processExitsWith: .failure) {
            try await SnapshotReadingTests.read { _ = $0.numberOfItems(inSectionWithID: "Bern") }
        }
        await #expect(processExitsWith: .failure) {
            try await SnapshotReadingTests.read { _ = $0.itemIDs(inSectionWithID: "Bern") }
        }
        await #expect(processExitsWith: .failure) {
            try await SnapshotReadingTests.read { _ = $0.items(inSectionWithID: "Bern") }
        }
        await #expect(processExitsWith: .failure) {
            try await SnapshotReadingTests.read { _ = $0.lazy(inSectionWithID: "Bern", atIndices: [0]).count }
        }
    }

    @Test(.pins("OBS-57")) func `a place out of range stops the program`() async {
        await #expect(processExitsWith: .failure) { try await SnapshotReadingTests.read { _ = $0[4] } }
        await #expect(processExitsWith: .failure) { try await SnapshotReadingTests.read { _ = $0[-1] } }
        await #expect(processExitsWith: .failure) { try await SnapshotReadingTests.read { _ = $0[0, 2] } }
        await #expect(processExitsWith: .failure) { try await SnapshotReadingTests.read { _ = $0[2, 0] } }
        await #expect(processExitsWith: .failure) { try await SnapshotReadingTests.read { _ = $0[[0, 2]] } }
        await #expect(processExitsWith: .success) { try await SnapshotReadingTests.read { _ = ($0[3], $0[1, 1]) } }
    }

    @Test(.pins("OBS-57")) func `a section out of range stops the program`() async {
        await #expect(processExitsWith: .failure) {
            try await SnapshotReadingTests.read { _ = $0.numberOfItems(inSectionIndex: 2) }
        }
        await #expect(processExitsWith: .failure) {
            try await SnapshotReadingTests.read { _ = $0.numberOfItems(inSectionIndex: -1) }
        }
        await #expect(processExitsWith: .success) {
            try await SnapshotReadingTests.read { precondition($0.numberOfItems(inSectionIndex: 1) == 2) }
        }
    }

    @Test(.pins("OBS-57")) func `a place beyond the end of a section stops the program`() async {
        await #expect(processExitsWith: .failure) {
            try await SnapshotReadingTests.read { _ = $0.items(inSectionWithID: "Oslo", atIndices: [2]) }
        }
        await #expect(processExitsWith: .failure) {
            try await SnapshotReadingTests.read { _ = Array($0.lazy(inSectionWithID: "Oslo", atIndices: [2])) }
        }
        await #expect(processExitsWith: .failure) {
            try await SnapshotReadingTests.read { _ = Array($0.lazy(inSectionWithID: "Rome", atIndices: [-1])) }
        }
        await #expect(processExitsWith: .failure) {
            try await SnapshotReadingTests.read { snapshot in
                var snapshot = snapshot
                snapshot.deleteItems(at: [[0, 2]])
            }
        }
    }

    @Test(.pins("OBS-59", "OBS-60"), arguments: TestBackend.allCases)
    func `a slice has the places of the whole snapshot as indices`(_ backend: TestBackend) throws {
        let (test, snapshot) = try Self.list(backend)
        defer { withExtendedLifetime(test) {} }
        let slice: ArraySlice<ObjectPublisher<Person>> = snapshot[1..<3]
        #expect(slice.indices == 1..<3 && slice.map { $0.$name } == ["Cat", "Bob"] && slice[2] === snapshot[2])
        let rest: ArraySlice<ObjectPublisher<Person>> = snapshot[2..<4]
        #expect(rest.startIndex == 2 && rest.map { $0.$name } == ["Bob", "Dan"])
        let none: ArraySlice<ObjectPublisher<Person>> = snapshot[3..<3]
        #expect(none.isEmpty && none.startIndex == 3)
        let section = snapshot.sections()[1]
        let last: ArraySlice<ObjectPublisher<Person>> = section[1..<2]
        #expect(last.indices == 1..<2 && last[1].$name == "Dan")
    }

    /// Reads a snapshot of four objects in a process that a test observes, and ends the process successfully.
    static func read(_ body: (ListSnapshot<Town.Person>) -> Void) throws {
        let (test, snapshot) = try list(.memory)
        withExtendedLifetime(test) { body(snapshot) }
        exit(0)
    }
}
