import Coffer
import CofferStorage
import Foundation
import TestSupport
import Testing

private typealias Person = Town.Person

/// Random commits.
///
/// After each commit, every list must equal a new fetch, and the callbacks of observers must turn the list before the
/// commit into the list after it.
@MainActor
struct RandomEditorTests {
    @Test(.pins("OBS-22", "OBS-23", "OBS-51", "OBS-55"), arguments: TestBackend.allCases)
    func `lists equal a new fetch after each random commit`(
        _ backend: TestBackend
    ) async throws {
        let seed = ProcessInfo.processInfo.environment["COFFER_SEED"].flatMap(UInt64.init) ?? .random(in: 0...9999)
        print("RandomEditorTests on \(backend): COFFER_SEED=\(seed)")
        var editor = RandomEditor(try Town.empty(backend), seed: seed)
        for step in 0..<120 {
            try editor.commit()
            editor.check("seed \(seed), commit \(step)")
            if step % 20 == 19 { try await editor.refetch("seed \(seed), refetch after commit \(step)") }
        }
    }
}

/// A town that is edited at random, and lists of its people.
@MainActor
private struct RandomEditor {
    let test: TestStack
    var random: SeededGenerator
    var clauses: [[any FetchClause]] = []
    let publishers: [ListPublisher<Person>]
    let monitors: [ListMonitor<Person>]
    let mirrors: [ListMirror]

    init(_ test: TestStack, seed: UInt64) {
        self.test = test
        random = SeededGenerator(seed: seed)
        let all = Self.requests
        clauses = all
        let sectionBy = SectionBy<Person>(\.$city)
        publishers = all.indices.map { index in
            index % 2 == 0
                ? test.stack.publishList(From<Person>(), all[index])
                : test.stack.publishList(From<Person>(), sectionBy, all[index])
        }
        monitors = all.indices.map { index in
            index % 2 == 0
                ? test.stack.monitorList(From<Person>(), all[index])
                : test.stack.monitorSectionedList(From<Person>(), sectionBy, all[index])
        }
        mirrors = monitors.map { ListMirror($0) }
    }

    private static var requests: [[any FetchClause]] {
        let byCity = OrderBy<Person>(.ascending(\.$city), .descending(\.$age), .ascending(\.$name))
        return [
            [OrderBy<Person>(.ascending(\.$name))],
            [byCity],
            [Where<Person>(\.$age > 20), OrderBy<Person>(.descending(\.$age))],
            [Where<Person>(\.$age < 30), byCity],
            [Where<Person>((\Person.$pets).count() > 0), OrderBy<Person>(.ascending(\.$name))],
            [Where<Person>((\Person.$pets ~ \.$age).any() > 5), byCity],
            [OrderBy<Person>(.ascending((\Person.$pets).count()), .descending(\.$name))],
            [byCity, Tweak { $0.fetchLimit = 7 }],
            [OrderBy<Person>(.ascending(\.$name, options: .caseInsensitive)), Tweak { $0.fetchOffset = 3 }],
            [Where<Person>(\.$isMember == true || \.$city != nil), byCity],
        ]
    }

    mutating func commit() throws {
        var random = random
        defer { self.random = random }
        try test.stack.perform(synchronous: { transaction in
            for _ in 0..<(random.below(4) == 0 ? 30 : 1 + random.below(4)) {
                let people = try transaction.fetchAll(From<Person>().orderBy(.ascending(\.$name), .ascending(\.$age)))
                let pets = try transaction.fetchAll(From<Town.Pet>().orderBy(.ascending(\.$name), .ascending(\.$age)))
                switch random.below(12) {
                case 0, 1, 2:
                    let made =
                        random.below(5) == 0
                        ? transaction.create(Into<Town.Mayor>()) : transaction.create(Into<Person>())
                    Self.fill(made, &random)
                case 3:
                    let dog = transaction.create(Into<Town.Pet>())
                    (dog.name, dog.age, dog.master) = (random.word(), random.below(10), random.pick(people))
                case 4 where people.count > 10: transaction.delete(random.pick(people))
                case 5 where pets.count > 5: transaction.delete(random.pick(pets))
                case 6: random.pick(pets)?.master = random.below(3) == 0 ? nil : random.pick(people)
                case 7: random.pick(pets)?.age = random.below(10)
                case 8: random.pick(people)?.city = random.city()
                case 9: random.pick(people)?.name = random.word()
                case 10: random.pick(people)?.age = random.below(50)
                default: if let person = random.pick(people) { Self.fill(person, &random) }
                }
            }
        })
    }

    private static func fill(_ person: Person, _ random: inout SeededGenerator) {
        (person.name, person.age) = (random.word(), random.below(50))
        (person.city, person.isMember) = (random.city(), random.below(2) == 0)
    }

    /// Refetches every list with the clauses of another list that has the same sections.
    mutating func refetch(_ label: String) async throws {
        clauses = clauses.indices.map { clauses[($0 + 2) % clauses.count] }
        for (index, publisher) in publishers.enumerated() {
            let from = From<Person>()
            if index % 2 == 0 {
                try publisher.refetch(from.appending(contentsOf: clauses[index]))
            } else {
                try publisher.refetch(from.sectionBy(\.$city).appending(contentsOf: clauses[index]))
            }
        }
        for (index, monitor) in monitors.enumerated() { monitor.refetch(clauses[index]) }
        await test.onViewQueue()
        check(label)
    }

    func check(_ label: String) {
        for index in clauses.indices {
            let label = "\(label), list \(index)"
            guard let people = try? test.stack.fetchAll(From<Person>(), clauses[index]) else {
                Issue.record("\(label) cannot be fetched")
                continue
            }
            let snapshot = publishers[index].snapshot
            #expect(snapshot.itemIDs == people.map { $0.objectID() }, "\(label)")
            #expect(monitors[index].objectsInAllSections() == people, "\(label)")
            #expect(snapshot.map { $0.$name } == people.map(\.name), "\(label)")
            for (place, person) in people.enumerated() where place % 5 == 0 {
                #expect(monitors[index].index(of: person) == place, "\(label)")
                #expect(snapshot.indexOfItem(withID: person.objectID()) == place, "\(label)")
            }
            let runs = index % 2 == 0 ? (people.isEmpty ? [] : [people]) : runs(people)
            #expect(snapshot.sections().map { $0.map { $0.object } } == runs, "\(label)")
            if index % 2 == 1 {
                #expect(snapshot.sectionIDs == runs.map { $0[0].city ?? "" }, "\(label)")
                #expect(monitors[index].sections().map(\.name) == snapshot.sectionIDs, "\(label)")
            }
            #expect(mirrors[index].sections.flatMap { $0 } == people.map { $0.objectID() }, "\(label)")
            #expect(
                mirrors[index].sections == (index % 2 == 0 ? [people] : runs).map { $0.map { $0.objectID() } },
                "\(label)")
            #expect(mirrors[index].problems == [], "\(label)")
        }
    }

    private func runs(_ people: [Person]) -> [[Person]] {
        people.reduce(into: []) { runs, person in
            if let last = runs.last?.last, (last.city ?? "") == (person.city ?? "") {
                runs[runs.count - 1].append(person)
            } else {
                runs.append([person])
            }
        }
    }
}

/// A list that is updated only with the callbacks of a monitor.
private final class ListMirror: ListSectionObserver {
    typealias ListEntityType = Town.Person

    private(set) var sections: [[ObjectID]]
    private(set) var problems: [String] = []
    private var gone: [IndexPath: ObjectID] = [:]
    private var come: [IndexPath: ObjectID] = [:]
    private var goneSections: Set<Int> = []
    private var comeSections: Set<Int> = []

    init(_ monitor: ListMonitor<Town.Person>) {
        sections = Self.sections(of: monitor)
        monitor.addObserver(self)
    }

    private static func sections(of monitor: ListMonitor<Town.Person>) -> [[ObjectID]] {
        monitor.sections().map { ($0.objects ?? []).compactMap { ($0 as? Town.Person)?.objectID() } }
    }

    func listMonitorWillChange(_ monitor: ListMonitor<Town.Person>) {
        (gone, come, goneSections, comeSections) = ([:], [:], [], [])
        if monitor.numberOfObjects() != sections.joined().count { problems.append("changed before the callback") }
    }

    func listMonitorDidChange(_ monitor: ListMonitor<Town.Person>) {
        var rest: [[ObjectID]] = []
        for (section, items) in sections.enumerated() {
            let left = items.indices.filter { gone[[section, $0]] == nil }.map { items[$0] }
            if goneSections.contains(section) {
                if !left.isEmpty { problems.append("a deleted section still has objects") }
            } else {
                rest.append(left)
            }
        }
        for section in comeSections.sorted() { rest.insert([], at: min(section, rest.count)) }
        for (path, id) in come.sorted(by: { $0.key < $1.key }) {
            guard path[0] < rest.count, path[1] <= rest[path[0]].count else {
                problems.append("\(id) was inserted at \(path), which does not exist")
                continue
            }
            rest[path[0]].insert(id, at: path[1])
        }
        sections = rest
    }

    func listMonitorDidRefetch(_ monitor: ListMonitor<Town.Person>) { sections = Self.sections(of: monitor) }

    private func take(_ object: Town.Person, _ path: IndexPath) {
        if sections[path[0]][path[1]] != object.objectID() {
            problems.append("\(object.objectID()) was not at \(path)")
        }
        gone[path] = object.objectID()
    }

    func listMonitor(
        _ monitor: ListMonitor<Town.Person>, didInsertObject object: Town.Person, toIndexPath indexPath: IndexPath
    ) {
        come[indexPath] = object.objectID()
    }
    func listMonitor(
        _ monitor: ListMonitor<Town.Person>, didDeleteObject object: Town.Person, fromIndexPath indexPath: IndexPath
    ) {
        take(object, indexPath)
    }
    func listMonitor(
        _ monitor: ListMonitor<Town.Person>, didUpdateObject object: Town.Person, atIndexPath indexPath: IndexPath
    ) {
        if sections[indexPath[0]][indexPath[1]] != object.objectID() { problems.append("another object was updated") }
    }
    func listMonitor(
        _ monitor: ListMonitor<Town.Person>, didMoveObject object: Town.Person, fromIndexPath: IndexPath,
        toIndexPath: IndexPath
    ) {
        take(object, fromIndexPath)
        come[toIndexPath] = object.objectID()
    }
    func listMonitor(
        _ monitor: ListMonitor<Town.Person>, didInsertSection sectionInfo: SectionInfo, toSectionIndex index: Int
    ) {
        comeSections.insert(index)
    }
    func listMonitor(
        _ monitor: ListMonitor<Town.Person>, didDeleteSection sectionInfo: SectionInfo, fromSectionIndex index: Int
    ) {
        goneSections.insert(index)
    }
}
