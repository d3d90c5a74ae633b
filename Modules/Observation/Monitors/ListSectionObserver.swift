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
/// Methods that a class does not implement do nothing. For a list without sections, the monitor does not call these
/// methods.
public protocol ListSectionObserver<ListEntityType>: ListObjectObserver {
    /// A section was inserted into the list, at an index of the new list.
    func listMonitor(
        _ monitor: ListMonitor<ListEntityType>, didInsertSection sectionInfo: SectionInfo,
        toSectionIndex sectionIndex: Int,
        sourceIdentifier: Any?
    )
    /// A section was inserted into the list, at an index of the new list.
    func listMonitor(
        _ monitor: ListMonitor<ListEntityType>, didInsertSection sectionInfo: SectionInfo,
        toSectionIndex sectionIndex: Int
    )
    /// A section was removed from the list, at an index of the old list.
    func listMonitor(
        _ monitor: ListMonitor<ListEntityType>, didDeleteSection sectionInfo: SectionInfo,
        fromSectionIndex sectionIndex: Int,
        sourceIdentifier: Any?
    )
    /// A section was removed from the list, at an index of the old list.
    func listMonitor(
        _ monitor: ListMonitor<ListEntityType>, didDeleteSection sectionInfo: SectionInfo,
        fromSectionIndex sectionIndex: Int
    )
}

extension ListSectionObserver {
    /// Calls the method without a source.
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

    /// Calls the method without a source.
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
