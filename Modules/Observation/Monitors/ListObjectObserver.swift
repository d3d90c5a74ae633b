import CofferSchema
public import Foundation

/// An observer that also receives the change of each object of a monitored list.
///
/// ```swift
/// final class PeopleScreen: ListObjectObserver {
///     func listMonitorDidChange(_ monitor: ListMonitor<Person>) { print("end of the changes") }
///     func listMonitorDidRefetch(_ monitor: ListMonitor<Person>) { print("read the whole list") }
///     func listMonitor(
///         _ monitor: ListMonitor<Person>, didInsertObject object: Person, toIndexPath indexPath: IndexPath
///     ) {
///         print("new at \(indexPath)")
///     }
/// }
/// ```
///
/// The monitor calls the methods between `listMonitorWillChange` and `listMonitorDidChange`, in this order: inserted
/// sections, deleted objects, inserted, moved and updated objects, deleted sections. Methods that a class does not
/// implement do nothing.
public protocol ListObjectObserver: ListObserver {
    /// An object came into the list, at an index path of the new list.
    func listMonitor(
        _ monitor: ListMonitor<ListEntityType>, didInsertObject object: ListEntityType,
        toIndexPath indexPath: IndexPath,
        sourceIdentifier: Any?
    )
    /// An object came into the list, at an index path of the new list.
    func listMonitor(
        _ monitor: ListMonitor<ListEntityType>, didInsertObject object: ListEntityType, toIndexPath indexPath: IndexPath
    )
    /// An object left the list, from an index path of the old list.
    ///
    /// It may be deleted, or only match no more.
    func listMonitor(
        _ monitor: ListMonitor<ListEntityType>, didDeleteObject object: ListEntityType,
        fromIndexPath indexPath: IndexPath,
        sourceIdentifier: Any?
    )
    /// An object left the list, from an index path of the old list.
    ///
    /// It may be deleted, or only match no more.
    func listMonitor(
        _ monitor: ListMonitor<ListEntityType>, didDeleteObject object: ListEntityType,
        fromIndexPath indexPath: IndexPath
    )
    /// An object changed, at an index path of the old list.
    func listMonitor(
        _ monitor: ListMonitor<ListEntityType>, didUpdateObject object: ListEntityType,
        atIndexPath indexPath: IndexPath,
        sourceIdentifier: Any?
    )
    /// An object changed, at an index path of the old list.
    func listMonitor(
        _ monitor: ListMonitor<ListEntityType>, didUpdateObject object: ListEntityType, atIndexPath indexPath: IndexPath
    )
    /// An object changed in what it is ordered or divided by, and moved from an index path of the old list to one of the new list.
    func listMonitor(
        _ monitor: ListMonitor<ListEntityType>, didMoveObject object: ListEntityType, fromIndexPath: IndexPath,
        toIndexPath: IndexPath,
        sourceIdentifier: Any?
    )
    /// An object changed in what it is ordered or divided by, and moved from an index path of the old list to one of the new list.
    func listMonitor(
        _ monitor: ListMonitor<ListEntityType>, didMoveObject object: ListEntityType, fromIndexPath: IndexPath,
        toIndexPath: IndexPath
    )
}

extension ListObjectObserver {
    /// Calls the form without a source.
    public func listMonitor(
        _ monitor: ListMonitor<ListEntityType>, didInsertObject object: ListEntityType,
        toIndexPath indexPath: IndexPath,
        sourceIdentifier: Any?
    ) {
        listMonitor(monitor, didInsertObject: object, toIndexPath: indexPath)
    }

    /// Does nothing.
    public func listMonitor(
        _ monitor: ListMonitor<ListEntityType>, didInsertObject object: ListEntityType, toIndexPath indexPath: IndexPath
    ) {}

    /// Calls the form without a source.
    public func listMonitor(
        _ monitor: ListMonitor<ListEntityType>, didDeleteObject object: ListEntityType,
        fromIndexPath indexPath: IndexPath,
        sourceIdentifier: Any?
    ) {
        listMonitor(monitor, didDeleteObject: object, fromIndexPath: indexPath)
    }

    /// Does nothing.
    public func listMonitor(
        _ monitor: ListMonitor<ListEntityType>, didDeleteObject object: ListEntityType,
        fromIndexPath indexPath: IndexPath
    ) {}

    /// Calls the form without a source.
    public func listMonitor(
        _ monitor: ListMonitor<ListEntityType>, didUpdateObject object: ListEntityType,
        atIndexPath indexPath: IndexPath,
        sourceIdentifier: Any?
    ) {
        listMonitor(monitor, didUpdateObject: object, atIndexPath: indexPath)
    }

    /// Does nothing.
    public func listMonitor(
        _ monitor: ListMonitor<ListEntityType>, didUpdateObject object: ListEntityType, atIndexPath indexPath: IndexPath
    ) {}

    /// Calls the form without a source.
    public func listMonitor(
        _ monitor: ListMonitor<ListEntityType>, didMoveObject object: ListEntityType, fromIndexPath: IndexPath,
        toIndexPath: IndexPath,
        sourceIdentifier: Any?
    ) {
        listMonitor(monitor, didMoveObject: object, fromIndexPath: fromIndexPath, toIndexPath: toIndexPath)
    }

    /// Does nothing.
    public func listMonitor(
        _ monitor: ListMonitor<ListEntityType>, didMoveObject object: ListEntityType, fromIndexPath: IndexPath,
        toIndexPath: IndexPath
    ) {}
}
