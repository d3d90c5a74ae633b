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
public protocol ListObjectObserver<ListEntityType>: ListObserver {
    /// An object was inserted into the list, at an index path of the new list.
    func listMonitor(
        _ monitor: ListMonitor<ListEntityType>, didInsertObject object: ListEntityType,
        toIndexPath indexPath: IndexPath,
        sourceIdentifier: Any?
    )
    /// An object was inserted into the list, at an index path of the new list.
    func listMonitor(
        _ monitor: ListMonitor<ListEntityType>, didInsertObject object: ListEntityType, toIndexPath indexPath: IndexPath
    )
    /// An object was removed from the list, at an index path of the old list.
    ///
    /// The object was deleted, or it no longer matches the condition of the list.
    func listMonitor(
        _ monitor: ListMonitor<ListEntityType>, didDeleteObject object: ListEntityType,
        fromIndexPath indexPath: IndexPath,
        sourceIdentifier: Any?
    )
    /// An object was removed from the list, at an index path of the old list.
    ///
    /// The object was deleted, or it no longer matches the condition of the list.
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
    /// An object moved from an index path of the old list to an index path of the new list.
    ///
    /// The order or the section of the object changed.
    func listMonitor(
        _ monitor: ListMonitor<ListEntityType>, didMoveObject object: ListEntityType, fromIndexPath: IndexPath,
        toIndexPath: IndexPath,
        sourceIdentifier: Any?
    )
    /// An object moved from an index path of the old list to an index path of the new list.
    ///
    /// The order or the section of the object changed.
    func listMonitor(
        _ monitor: ListMonitor<ListEntityType>, didMoveObject object: ListEntityType, fromIndexPath: IndexPath,
        toIndexPath: IndexPath
    )
}

extension ListObjectObserver {
    /// Calls the method without a source.
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

    /// Calls the method without a source.
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

    /// Calls the method without a source.
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

    /// Calls the method without a source.
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
