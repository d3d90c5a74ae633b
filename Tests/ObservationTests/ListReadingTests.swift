import Coffer
import Foundation
import TestSupport
import Testing

private typealias Person = Town.Person

/// The indexes of a monitored list.
///
/// A safe accessor returns nil if the plain accessor stops the program.
@MainActor
struct ListReadingTests {
    /// Returns a list with Ann and Cat in section 0, and Bob in section 1.
    private static func list(_ backend: TestBackend) throws -> (TestStack, ListMonitor<Person>) {
        let test = try Town.filled(backend, ["Ann": 1, "Bob": 2, "Cat": 3])
        try test.edit("Bob") { $0.isMember = true }
        let monitor = test.stack.monitorSectionedList(
            From<Person>().sectionBy(\.$isMember).orderBy(.ascending(\.$isMember), .ascending(\.$name)))
        return (test, monitor)
    }

    @Test(.pins("OBS-03"), arguments: TestBackend.allCases)
    func `each accessor finds the object at its place`(_ backend: TestBackend) throws {
        let (test, monitor) = try Self.list(backend)
        let places: [(Int, [Int], String)] = [(0, [0, 0], "Ann"), (1, [0, 1], "Cat"), (2, [1, 0], "Bob")]
        for (index, path, name) in places {
            let object = try #require(try test.person(name))
            let indexPath = IndexPath(indexes: path)
            #expect(monitor[index] === object && monitor[safeIndex: index] === object)
            #expect(monitor[path[0], path[1]] === object)
            #expect(monitor[safeSectionIndex: path[0], safeItemIndex: path[1]] === object)
            #expect(monitor[indexPath] === object && monitor[safeIndexPath: indexPath] === object)
        }
        for section in 0...1 {
            let names = section == 0 ? ["Ann", "Cat"] : ["Bob"]
            #expect(monitor.numberOfObjects(in: section) == names.count)
            #expect(monitor.numberOfObjects(safelyIn: section) == names.count)
            #expect(monitor.sectionInfo(at: section).numberOfObjects == names.count)
            #expect(monitor.sectionInfo(safelyAt: section)?.name == "\(section)")
            #expect(monitor.objects(in: section).map(\.name) == names)
            #expect(monitor.objects(safelyIn: section)?.map(\.name) == names)
            #expect(monitor.hasObjects(in: section))
        }
    }

    @Test(.pins("OBS-03"), arguments: TestBackend.allCases)
    func `safe accessors return nil out of range`(_ backend: TestBackend) throws {
        let (_, monitor) = try Self.list(backend)
        for index in [-1, 3, Int.max, Int.min] { #expect(monitor[safeIndex: index] == nil) }
        for (section, item) in [(-1, 0), (0, -1), (0, 2), (1, 1), (2, 0), (Int.max, Int.max)] {
            #expect(monitor[safeSectionIndex: section, safeItemIndex: item] == nil)
            #expect(monitor[safeIndexPath: IndexPath(indexes: [section, item])] == nil)
        }
        #expect(monitor[safeIndexPath: IndexPath(indexes: [])] == nil)
        #expect(monitor[safeIndexPath: IndexPath(indexes: [0])] == nil)
        #expect(monitor[safeIndexPath: IndexPath(indexes: [0, 0, 0])] == nil)
        for section in [-1, 2] {
            #expect(monitor.numberOfObjects(safelyIn: section) == nil)
            #expect(monitor.sectionInfo(safelyAt: section) == nil)
            #expect(monitor.objects(safelyIn: section) == nil)
            #expect(!monitor.hasObjects(in: section))
        }
    }

    @Test(.pins("OBS-03")) func `plain accessors stop the program out of range`() async {
        await #expect(processExitsWith: .failure) { try await ListReadingTests.read { _ = $0[3] } }
        await #expect(processExitsWith: .failure) { try await ListReadingTests.read { _ = $0[-1] } }
        await #expect(processExitsWith: .failure) { try await ListReadingTests.read { _ = $0[0, 2] } }
        await #expect(processExitsWith: .failure) { try await ListReadingTests.read { _ = $0[2, 0] } }
        await #expect(processExitsWith: .failure) { try await ListReadingTests.read { _ = $0[[1, 1]] } }
        await #expect(processExitsWith: .failure) { try await ListReadingTests.read { _ = $0.numberOfObjects(in: 2) } }
        await #expect(processExitsWith: .failure) { try await ListReadingTests.read { _ = $0.sectionInfo(at: 2) } }
        await #expect(processExitsWith: .failure) { try await ListReadingTests.read { _ = $0.objects(in: 2) } }
        await #expect(processExitsWith: .success) { try await ListReadingTests.read { _ = ($0[2], $0[1, 0]) } }
    }

    /// Reads a list of three objects in a process that a test observes, and ends the process successfully.
    static func read(_ body: (ListMonitor<Town.Person>) -> Void) throws {
        let (test, monitor) = try list(.memory)
        withExtendedLifetime(test) { body(monitor) }
        exit(0)
    }
}
