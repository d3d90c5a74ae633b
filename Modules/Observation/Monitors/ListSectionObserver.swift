import CofferSchema

/// An observer that also receives the insertion and deletion of sections of a monitored list.
///
/// ```swift
/// final class PeopleScreen: ListSectionObserver {
///     func listMonitorDidChange(_ monitor: ListMonitor<Person>) { print(monitor.numberOfSections()) }
///     func listMonitorDidRefetch(_ monitor: ListMonitor<Person>) { print("read the whole list") }
///     func listMonitor(
///         _ monitor: ListMonitor<Person>, didInsertSection sectionInfo: SectionInfo, toSectionIndex sectionIndex: Int
///     ) {
///         print("new section \(sectionInfo.name)")
///     }
/// }
/// ```
///
/// Methods that a class does not implement do nothing. A list without sections does not call them.
public protocol ListSectionObserver: ListObjectObserver {
    /// A section came into the list, at a place of the new list.
    func listMonitor(
        _ monitor: ListMonitor<ListEntityType>, didInsertSection sectionInfo: SectionInfo,
        toSectionIndex sectionIndex: Int,
        sourceIdentifier: Any?
    )
    /// A section came into the list, at a place of the new list.
    func listMonitor(
        _ monitor: ListMonitor<ListEntityType>, didInsertSection sectionInfo: SectionInfo,
        toSectionIndex sectionIndex: Int
    )
    /// A section left the list, from a place of the old list.
    func listMonitor(
        _ monitor: ListMonitor<ListEntityType>, didDeleteSection sectionInfo: SectionInfo,
        fromSectionIndex sectionIndex: Int,
        sourceIdentifier: Any?
    )
    /// A section left the list, from a place of the old list.
    func listMonitor(
        _ monitor: ListMonitor<ListEntityType>, didDeleteSection sectionInfo: SectionInfo,
        fromSectionIndex sectionIndex: Int
    )
}

extension ListSectionObserver {
    /// Calls the form without a source.
    public func listMonitor(
        _ monitor: ListMonitor<ListEntityType>, didInsertSection sectionInfo: SectionInfo,
        toSectionIndex sectionIndex: Int,
        sourceIdentifier: Any?
    ) {
        listMonitor(monitor, didInsertSection: sectionInfo, toSectionIndex: sectionIndex)
    }

    /// Does nothing.
    public func listMonitor(
        _ monitor: ListMonitor<ListEntityType>, didInsertSection sectionInfo: SectionInfo,
        toSectionIndex sectionIndex: Int
    ) {}

    /// Calls the form without a source.
    public func listMonitor(
        _ monitor: ListMonitor<ListEntityType>, didDeleteSection sectionInfo: SectionInfo,
        fromSectionIndex sectionIndex: Int,
        sourceIdentifier: Any?
    ) {
        listMonitor(monitor, didDeleteSection: sectionInfo, fromSectionIndex: sectionIndex)
    }

    /// Does nothing.
    public func listMonitor(
        _ monitor: ListMonitor<ListEntityType>, didDeleteSection sectionInfo: SectionInfo,
        fromSectionIndex sectionIndex: Int
    ) {}
}
