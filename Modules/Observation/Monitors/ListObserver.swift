public import CofferSchema

/// Someone who wants to know when a monitored list changes.
///
/// Each callback comes in two forms, with and without the source that the transaction's caller named; the former calls
/// the latter unless it is implemented. At least ``listMonitorDidChange(_:)`` and ``listMonitorDidRefetch(_:)`` must be.
public protocol ListObserver: AnyObject {
    /// The class of the list's objects.
    associatedtype ListEntityType: DynamicObject

    /// A commit is about to change the list, which still is as it was; its objects have their new values.
    func listMonitorWillChange(_ monitor: ListMonitor<ListEntityType>, sourceIdentifier: Any?)
    /// A commit is about to change the list, which still is as it was; its objects have their new values.
    func listMonitorWillChange(_ monitor: ListMonitor<ListEntityType>)
    /// A commit has changed the list, or an object in it.
    func listMonitorDidChange(_ monitor: ListMonitor<ListEntityType>, sourceIdentifier: Any?)
    /// A commit has changed the list, or an object in it.
    func listMonitorDidChange(_ monitor: ListMonitor<ListEntityType>)
    /// The list is about to be fetched again.
    func listMonitorWillRefetch(_ monitor: ListMonitor<ListEntityType>, sourceIdentifier: Any?)
    /// The list is about to be fetched again.
    func listMonitorWillRefetch(_ monitor: ListMonitor<ListEntityType>)
    /// The list was fetched again.
    func listMonitorDidRefetch(_ monitor: ListMonitor<ListEntityType>, sourceIdentifier: Any?)
    /// The list was fetched again.
    func listMonitorDidRefetch(_ monitor: ListMonitor<ListEntityType>)
}

extension ListObserver {
    /// Calls the form without a source.
    public func listMonitorWillChange(_ monitor: ListMonitor<ListEntityType>, sourceIdentifier: Any?) {
        listMonitorWillChange(monitor)
    }

    /// Does nothing.
    public func listMonitorWillChange(_ monitor: ListMonitor<ListEntityType>) {}

    /// Calls the form without a source.
    public func listMonitorDidChange(_ monitor: ListMonitor<ListEntityType>, sourceIdentifier: Any?) {
        listMonitorDidChange(monitor)
    }

    /// Calls the form without a source.
    public func listMonitorWillRefetch(_ monitor: ListMonitor<ListEntityType>, sourceIdentifier: Any?) {
        listMonitorWillRefetch(monitor)
    }

    /// Does nothing.
    public func listMonitorWillRefetch(_ monitor: ListMonitor<ListEntityType>) {}

    /// Calls the form without a source.
    public func listMonitorDidRefetch(_ monitor: ListMonitor<ListEntityType>, sourceIdentifier: Any?) {
        listMonitorDidRefetch(monitor)
    }
}
