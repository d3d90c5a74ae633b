public import CofferSchema

/// An object that is notified when a monitored list changes.
///
/// ```swift
/// final class PeopleScreen: ListObserver {
///     func listMonitorDidChange(_ monitor: ListMonitor<Person>) { print(monitor.numberOfObjects()) }
///     func listMonitorDidRefetch(_ monitor: ListMonitor<Person>) { print(monitor.numberOfObjects()) }
/// }
/// ```
///
/// Implement at least ``listMonitorDidChange(_:)`` and ``listMonitorDidRefetch(_:)``. Each method has a second form
/// with the `sourceIdentifier` of the transaction. If a class does not implement the second form, the default
/// implementation calls the method without the source. The monitor calls the methods on the view queue.
///
/// If the list cannot be fetched again after a commit, it does not change, the error is logged, and no method is
/// called.
public protocol ListObserver<ListEntityType>: AnyObject {
    /// The class of the list's objects.
    associatedtype ListEntityType: DynamicObject

    /// A commit will change the list.
    ///
    /// The list is still unchanged, and its objects have their new values.
    func listMonitorWillChange(_ monitor: ListMonitor<ListEntityType>, sourceIdentifier: Any?)
    /// A commit will change the list.
    ///
    /// The list is still unchanged, and its objects have their new values.
    func listMonitorWillChange(_ monitor: ListMonitor<ListEntityType>)
    /// A commit has changed the list, or an object of the list.
    func listMonitorDidChange(_ monitor: ListMonitor<ListEntityType>, sourceIdentifier: Any?)
    /// A commit has changed the list, or an object of the list.
    func listMonitorDidChange(_ monitor: ListMonitor<ListEntityType>)
    /// The list will be fetched again.
    func listMonitorWillRefetch(_ monitor: ListMonitor<ListEntityType>, sourceIdentifier: Any?)
    /// The list will be fetched again.
    func listMonitorWillRefetch(_ monitor: ListMonitor<ListEntityType>)
    /// The list was fetched again.
    func listMonitorDidRefetch(_ monitor: ListMonitor<ListEntityType>, sourceIdentifier: Any?)
    /// The list was fetched again.
    func listMonitorDidRefetch(_ monitor: ListMonitor<ListEntityType>)
}

extension ListObserver {
    /// Calls the method without a source.
    public func listMonitorWillChange(_ monitor: ListMonitor<ListEntityType>, sourceIdentifier: Any?) {
        listMonitorWillChange(monitor)
    }

    /// Does nothing.
    public func listMonitorWillChange(_ monitor: ListMonitor<ListEntityType>) {}

    /// Calls the method without a source.
    public func listMonitorDidChange(_ monitor: ListMonitor<ListEntityType>, sourceIdentifier: Any?) {
        listMonitorDidChange(monitor)
    }

    /// Calls the method without a source.
    public func listMonitorWillRefetch(_ monitor: ListMonitor<ListEntityType>, sourceIdentifier: Any?) {
        listMonitorWillRefetch(monitor)
    }

    /// Does nothing.
    public func listMonitorWillRefetch(_ monitor: ListMonitor<ListEntityType>) {}

    /// Calls the method without a source.
    public func listMonitorDidRefetch(_ monitor: ListMonitor<ListEntityType>, sourceIdentifier: Any?) {
        listMonitorDidRefetch(monitor)
    }
}
