import Coffer
import Foundation
import TestSupport

/// A record of all callbacks of a monitored list of people, such as "insert Ann @0,1".
final class ListTranscript: ListSectionObserver {
    typealias ListEntityType = Town.Person

    private var lines: [String] = []

    /// Returns the callbacks since the last call of this function.
    func take() -> [String] {
        defer { lines = [] }
        return lines
    }

    private func note(_ line: String, _ source: Any?) {
        lines.append(source.map { "\(line) by \($0)" } ?? line)
    }

    private func text(_ path: IndexPath) -> String { "@\(path[0]),\(path[1])" }

    func listMonitorWillChange(_ monitor: ListMonitor<Town.Person>, sourceIdentifier: Any?) {
        note("will \(monitor.text)", sourceIdentifier)
    }
    func listMonitorDidChange(_ monitor: ListMonitor<Town.Person>) {}
    func listMonitorDidChange(_ monitor: ListMonitor<Town.Person>, sourceIdentifier: Any?) {
        note("did \(monitor.text)", sourceIdentifier)
    }
    func listMonitorWillRefetch(_ monitor: ListMonitor<Town.Person>, sourceIdentifier: Any?) {
        note("will refetch \(monitor.text)", sourceIdentifier)
    }
    func listMonitorDidRefetch(_ monitor: ListMonitor<Town.Person>) {}
    func listMonitorDidRefetch(_ monitor: ListMonitor<Town.Person>, sourceIdentifier: Any?) {
        note("did refetch \(monitor.text)", sourceIdentifier)
    }
    func listMonitor(
        _ monitor: ListMonitor<Town.Person>, didInsertObject object: Town.Person, toIndexPath indexPath: IndexPath
    ) {
        note("insert \(object.name) \(text(indexPath))", nil)
    }
    func listMonitor(
        _ monitor: ListMonitor<Town.Person>, didDeleteObject object: Town.Person, fromIndexPath indexPath: IndexPath
    ) {
        note("\(object.isDeleted ? "delete" : "remove") \(object.name) \(text(indexPath))", nil)
    }
    func listMonitor(
        _ monitor: ListMonitor<Town.Person>, didUpdateObject object: Town.Person, atIndexPath indexPath: IndexPath
    ) {
        note("update \(object.name) \(text(indexPath))", nil)
    }
    func listMonitor(
        _ monitor: ListMonitor<Town.Person>, didMoveObject object: Town.Person, fromIndexPath: IndexPath,
        toIndexPath: IndexPath
    ) {
        note("move \(object.name) \(text(fromIndexPath)) to \(text(toIndexPath))", nil)
    }
    func listMonitor(
        _ monitor: ListMonitor<Town.Person>, didInsertSection sectionInfo: SectionInfo, toSectionIndex index: Int
    ) {
        note("insert section \(sectionInfo.name) @\(index) of \(monitor.sectionInfo(at: index).numberOfObjects)", nil)
    }
    func listMonitor(
        _ monitor: ListMonitor<Town.Person>, didDeleteSection sectionInfo: SectionInfo, fromSectionIndex index: Int
    ) {
        note("delete section \(sectionInfo.name) @\(index)", nil)
    }
}

extension ListMonitor where O == Town.Person {
    /// The names of the objects, after the name of their section if the section has a name.
    var text: String {
        sections().map { section in
            let names = (section.objects ?? []).map { ($0 as? Town.Person)?.name ?? "?" }.joined(separator: " ")
            return section.name.isEmpty ? names : "\(section.name): \(names)"
        }.joined(separator: ", ")
    }
}
