import Coffer

/// A list that the run compares with the model.
protocol AnyWatchedList {
    var name: String { get }

    /// Checks that the list matches the model, and that its observers received the changes.
    ///
    /// - Parameters:
    ///   - commits: the commits since the last check; nil if the list was not notified of them.
    func check(_ world: World, commits: [Commit]?) throws
    func refetch() throws
    /// The ids of the objects, in order.
    var ids: [Int] { get }
    /// Checks that the objects and publishers of the list have the values of the model.
    func checkObjects(_ world: World) throws
    /// Discards the reports to observers since the last check without checking them.
    func forgetTold()
}

/// A data stack or an unsafe transaction, as the source of watched lists.
protocol WatchedSource {
    func monitorList<O>(_ from: From<O>, _ fetchClauses: [any FetchClause]) -> ListMonitor<O>
    func monitorSectionedList<O>(
        _ from: From<O>, _ sectionBy: SectionBy<O>, _ fetchClauses: [any FetchClause]
    ) -> ListMonitor<O>
}

extension DataStack: WatchedSource {}
extension UnsafeDataTransaction: WatchedSource {}

/// A list of one class with its monitor and, if the source is a stack, its publisher.
final class WatchedList<O: CoreStoreObject>: AnyWatchedList {
    private let rule: ListRule
    private let registry: Registry
    private let clauses: [any FetchClause]
    private let sectionBy: SectionBy<O>?
    private let monitor: ListMonitor<O>
    private let publisher: ListPublisher<O>?
    private let mirror: ListMirror<O>
    private var told = 0
    var name: String { rule.name }

    init(
        _ rule: ListRule, _ source: any WatchedSource, _ registry: Registry, _ clauses: [any FetchClause],
        _ sectionBy: SectionBy<O>? = nil
    ) {
        (self.rule, self.registry, self.clauses, self.sectionBy) = (rule, registry, clauses, sectionBy)
        let stack = source as? DataStack
        if let sectionBy {
            monitor = source.monitorSectionedList(From<O>(), sectionBy, clauses)
            publisher = stack?.publishList(From<O>(), sectionBy, clauses)
        } else {
            monitor = source.monitorList(From<O>(), clauses)
            publisher = stack?.publishList(From<O>(), clauses)
        }
        mirror = ListMirror(monitor, registry, hasSections: sectionBy != nil)
        publisher?.addObserver(self) { [weak self] _ in self?.told += 1 }
    }

    func refetch() throws {
        monitor.refetch(clauses)
        if let sectionBy {
            try publisher?.refetch(From<O>().sectionBy(sectionBy).appending(contentsOf: clauses))
        } else {
            try publisher?.refetch(From<O>().appending(contentsOf: clauses))
        }
    }

    var ids: [Int] { ListMirror.sections(of: monitor, registry).flatMap(\.ids) }

    func checkObjects(_ world: World) throws {
        try expect(ListMirror.sections(of: monitor, registry), rule.sections(world), "the monitor")
        let cast = Cast(registry)
        for object in monitor.objectsInAllSections() {
            try cast.expectRow(registry.number(object), object, world, "an object of list \(name)")
        }
        for publisher in publisher?.snapshot.map({ $0 }) ?? [] {
            let thing = registry.numbers[publisher.objectID()].flatMap { world.things[$0] }
            let values = publisher.snapshot?.dictionaryForValues() ?? [:]
            guard values["number"] as? Int == thing?.number, values["value"] as? Int == thing?.value else {
                throw Mismatch("list \(name) publishes \(values), not \(String(describing: thing))")
            }
        }
    }

    func forgetTold() {
        mirror.forget()
        told = 0
    }

    func check(_ world: World, commits: [Commit]?) throws {
        defer { forgetTold() }
        let expected = rule.sections(world)
        try expect(ListMirror.sections(of: monitor, registry), expected, "the monitor")
        try expect(mirror.sections, expected, "the reports of the monitor")
        if let snapshot = publisher?.snapshot {
            let published = zip(snapshot.sectionIDs, snapshot.sections()).map { name, items in
                ListRule.Section(name: name, ids: items.map { registry.numbers[$0.objectID()] ?? -1 })
            }
            try expect(published.filter { !$0.ids.isEmpty }, expected, "the publisher")
        }
        if publisher == nil || commits?.count == 1 { try checkTold(world) }
        if let problem = mirror.problems.first { throw Mismatch("list \(rule.name): \(problem)") }
        guard let commits else { return }
        var changed: Set<Int> = []
        var placed: Set<Int> = []
        for commit in commits {
            let (before, after) = (commit.before, commit.after)
            placed.formUnion(commit.linked)
            let old = Set(rule.sections(before).flatMap(\.ids))
            let kept = rule.sections(after).flatMap(\.ids).filter(old.contains)
            changed.formUnion(kept.filter { !before.changedKeys(of: $0, to: after).isEmpty })
            placed.formUnion(kept.filter { before.isPlacedAnew($0, in: after) })
        }
        if let wrong = mirror.updated.first(where: { !changed.contains($0) && !placed.contains($0) }) {
            throw Mismatch("list \(rule.name): \(wrong) was reported as updated and has not changed")
        }
        guard commits.count == 1, !mirror.isRefetched else { return }
        if let missing = changed.first(where: { !mirror.updated.contains($0) && !mirror.moved.contains($0) }) {
            throw Mismatch("list \(rule.name): \(missing) changed and was not reported as updated")
        }
        guard publisher != nil else { return }
        let isChanged = !changed.isEmpty || rule.sections(commits[0].before) != expected
        guard (told > 0) == isChanged || (told > 0 && !placed.isEmpty), told <= 1 else {
            throw Mismatch("list \(rule.name): the publisher reported \(told) changes, changed: \(isChanged)")
        }
    }

    /// Checks that observers received the objects with their new values.
    private func checkTold(_ world: World) throws {
        for (id, thing) in mirror.things where world.things[id] != thing {
            throw Mismatch(
                "list \(rule.name): \(id) was reported with \(thing), not \(String(describing: world.things[id]))")
        }
        for (id, isDeleted) in mirror.gone where isDeleted != (world.things[id] == nil) {
            throw Mismatch("list \(rule.name): \(id) was reported as removed, deleted: \(isDeleted)")
        }
    }

    private func expect(_ found: [ListRule.Section], _ expected: [ListRule.Section], _ what: String) throws {
        guard found != expected else { return }
        func text(_ sections: [ListRule.Section]) -> String {
            sections.map { "\($0.name): \($0.ids)" }.joined(separator: ", ")
        }
        throw Mismatch("list \(rule.name), \(what): \(text(found)), not \(text(expected))")
    }
}

extension World {
    /// Whether the order of an object's siblings differs in another world, where its row may contain another place.
    func isPlacedAnew(_ id: Int, in other: World) -> Bool {
        guard let parent = one(.parent, id), other.one(.parent, id) == parent else { return false }
        return many(.children, parent) != other.many(.children, parent)
    }

    /// The keys of an object whose values differ between two worlds, as observers receive them.
    func changedKeys(of id: Int, to other: World) -> Set<String> {
        guard let old = things[id], let new = other.things[id] else { return [] }
        var keys: Set<String> = []
        if old.number != new.number { keys.insert("number") }
        if old.value != new.value { keys.insert("value") }
        if old.title != new.title { keys.insert(old.kind == .tag ? "name" : "title") }
        if old.mark != new.mark { keys.insert("mark") }
        if old.extra != new.extra { keys.insert("extra") }
        for relationship in ToOne.allCases where one(relationship, id) != other.one(relationship, id) {
            keys.insert(relationship.rawValue)
        }
        for relationship in ToMany.allCases where many(relationship, id) != other.many(relationship, id) {
            keys.insert(relationship.name)
        }
        return keys
    }
}
