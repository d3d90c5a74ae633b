import Coffer
import Foundation

/// A copy of a list, built only from the changes that a monitor reports.
final class ListMirror<O: CoreStoreObject>: ListSectionObserver {
    typealias ListEntityType = O

    private let registry: Registry
    private let hasSections: Bool
    private(set) var sections: [ListRule.Section]
    private(set) var problems: [String] = []
    /// The objects that the monitor has reported as updated or moved since the last check.
    private(set) var updated: Set<Int> = []
    private(set) var moved: Set<Int> = []
    /// Whether the monitor has reported that the list was fetched again.
    private(set) var isRefetched = false
    /// The reported values of inserted, moved and updated objects, and whether each removed object was deleted.
    private(set) var things: [Int: World.Thing] = [:]
    private(set) var gone: [Int: Bool] = [:]
    private var brackets = 0
    private var left: Set<IndexPath> = []
    private var updatedNow: Set<Int> = []
    private var come: [IndexPath: Int] = [:]
    private var goneSections: Set<Int> = []
    private var comeSections: [Int: String] = [:]

    init(_ monitor: ListMonitor<O>, _ registry: Registry, hasSections: Bool) {
        self.registry = registry
        self.hasSections = hasSections
        sections = Self.sections(of: monitor, registry)
        monitor.addObserver(self)
    }

    static func sections(of monitor: ListMonitor<O>, _ registry: Registry) -> [ListRule.Section] {
        monitor.sections().compactMap { section in
            let ids = (section.objects ?? []).compactMap { ($0 as? O).map(registry.number) }
            return ids.isEmpty ? nil : ListRule.Section(name: section.name, ids: ids)
        }
    }

    func forget() {
        (updated, moved, isRefetched, problems) = ([], [], false, [])
        (things, gone) = ([:], [:])
    }

    func listMonitorWillChange(_ monitor: ListMonitor<O>) {
        (left, come, goneSections, comeSections) = ([], [:], [], [:])
        updatedNow = []
        brackets += 1
        if brackets != 1 { problems.append("a second change begins before the first one ends") }
        if Self.sections(of: monitor, registry) != sections { problems.append("changed before the report") }
    }

    func listMonitorDidChange(_ monitor: ListMonitor<O>) {
        brackets -= 1
        var rest: [ListRule.Section] = []
        for (index, section) in sections.enumerated() {
            let ids = section.ids.indices.filter { !left.contains([index, $0]) }.map { section.ids[$0] }
            if goneSections.contains(index) {
                if !ids.isEmpty { problems.append("a section was deleted, but its objects were not") }
            } else {
                rest.append(.init(name: section.name, ids: ids))
            }
        }
        // A list without sections has one section while it has objects.
        if !hasSections, rest.isEmpty, !come.isEmpty { rest = [.init(name: "", ids: [])] }
        for (index, name) in comeSections.sorted(by: { $0.key < $1.key }) {
            guard index <= rest.count else {
                problems.append("a section is inserted after the end")
                continue
            }
            rest.insert(.init(name: name, ids: []), at: index)
        }
        for (path, id) in come.sorted(by: { $0.key < $1.key }) {
            guard path[0] < rest.count, path[1] <= rest[path[0]].ids.count else {
                problems.append("\(id) cannot be inserted at \(path)")
                continue
            }
            rest[path[0]].ids.insert(id, at: path[1])
        }
        if hasSections, rest.contains(where: \.ids.isEmpty) { problems.append("an empty section stays") }
        sections = rest.filter { !$0.ids.isEmpty }
    }

    func listMonitorDidRefetch(_ monitor: ListMonitor<O>) {
        sections = Self.sections(of: monitor, registry)
        isRefetched = true
    }

    private func take(_ object: O, _ path: IndexPath) {
        check(object, path)
        if !left.insert(path).inserted { problems.append("\(registry.number(object)) left \(path) twice") }
    }

    private func note(_ object: O) {
        do {
            things[registry.number(object)] = try Cast(registry).thing(object)
        } catch {
            problems.append("\(error)")
        }
        gone[registry.number(object)] = nil
    }

    private func check(_ object: O, _ path: IndexPath) {
        let id = registry.number(object)
        guard path[0] < sections.count, path[1] < sections[path[0]].ids.count, sections[path[0]].ids[path[1]] == id
        else {
            return problems.append("\(id) was not at \(path)")
        }
    }

    func listMonitor(_ monitor: ListMonitor<O>, didInsertObject object: O, toIndexPath indexPath: IndexPath) {
        note(object)
        if come.updateValue(registry.number(object), forKey: indexPath) != nil {
            problems.append("two objects are inserted at \(indexPath)")
        }
    }
    func listMonitor(_ monitor: ListMonitor<O>, didDeleteObject object: O, fromIndexPath indexPath: IndexPath) {
        take(object, indexPath)
        (things[registry.number(object)], gone[registry.number(object)]) = (nil, object.isDeleted)
    }
    func listMonitor(_ monitor: ListMonitor<O>, didUpdateObject object: O, atIndexPath indexPath: IndexPath) {
        check(object, indexPath)
        note(object)
        updated.insert(registry.number(object))
        if !updatedNow.insert(registry.number(object)).inserted { problems.append("an update is reported twice") }
    }
    func listMonitor(
        _ monitor: ListMonitor<O>, didMoveObject object: O, fromIndexPath: IndexPath, toIndexPath: IndexPath
    ) {
        take(object, fromIndexPath)
        note(object)
        moved.insert(registry.number(object))
        if come.updateValue(registry.number(object), forKey: toIndexPath) != nil {
            problems.append("two objects are inserted at \(toIndexPath)")
        }
    }
    func listMonitor(_ monitor: ListMonitor<O>, didInsertSection sectionInfo: SectionInfo, toSectionIndex index: Int) {
        if comeSections.updateValue(sectionInfo.name, forKey: index) != nil { problems.append("two sections inserted") }
    }
    func listMonitor(_ monitor: ListMonitor<O>, didDeleteSection sectionInfo: SectionInfo, fromSectionIndex index: Int)
    {
        if !goneSections.insert(index).inserted { problems.append("a section was deleted twice") }
        if sections.indices.contains(index), sections[index].name != sectionInfo.name {
            problems.append("the section at \(index) is not '\(sectionInfo.name)'")
        }
    }
}
