public import CofferClauses
public import CofferSchema
import CofferStorage
public import CofferStorageTools
import CofferTransactions
import Foundation

/// A list monitor: observes commits, refetches with other clauses, and reports the change of each object.
///
/// ```swift
/// let people = stack.monitorSectionedList(
///     From<Person>().sectionBy(\.$city).orderBy(.ascending(\.$city), .ascending(\.$name))
/// )
/// people.addObserver(self)
/// let person = people[0, 2]
/// ```
///
/// The monitor belongs to the view queue of the stack. The time for a commit depends on the changed rows, and hardly
/// on the length of the list. There are three exceptions, in which the list is fetched again after a commit:
///
/// - The condition, the order or the sections use a relationship.
/// - The list has a limit or an offset.
/// - Several stores hold the class.
///
/// A list of an unsafe transaction is fetched again at each flush.
///
/// If the list cannot be fetched again, it does not change, and the error is logged. If its class has no store, the
/// list is empty.
public final class ListMonitor<O: DynamicObject>: Hashable {
    /// The class of the objects.
    public typealias ObjectType = O

    /// Whether the list will be fetched again; until this fetch, the list does not change.
    public private(set) var isPendingRefetch = false
    /// Values that the program keeps with the monitor.
    public let userInfo = UserInfo()

    let source: ObservedSource
    let sectionBy: SectionBy<O>?
    private let from: From<O>
    private var clauses: [any FetchClause]
    /// The content of the list; nil until a fetch succeeds.
    private(set) var content: ListContent?
    private let observers = ObserverList<WeakListObserver<O>> { $0.list }
    /// The accepted change, until the observers are notified.
    private var shown: ListUpdate?

    init(_ source: ObservedSource, _ from: From<O>, _ sectionBy: SectionBy<O>?, _ clauses: [any FetchClause]) {
        self.source = source
        self.sectionBy = sectionBy
        self.from = from
        self.clauses = clauses
        source.observing(O.self) {
            fetch()
            source.observers?.add(self)
        }
    }

    /// Returns whether both values are the same monitor.
    public static func == (lhs: ListMonitor<O>, rhs: ListMonitor<O>) -> Bool { lhs === rhs }

    /// Returns whether both values are the same monitor.
    public static func ~= (lhs: ListMonitor<O>, rhs: ListMonitor<O>) -> Bool { lhs === rhs }

    /// Hashes the identity of the monitor.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    // MARK: Observers

    /// Calls an observer when the list changes, until the observer is deallocated or removed.
    ///
    /// ```swift
    /// people.addObserver(self)
    /// ```
    ///
    /// The monitor does not keep the observer alive. The static type of the argument decides the calls: a
    /// ``ListObjectObserver`` also receives the changes of objects. If the observer is added again, the earlier
    /// registration is replaced.
    public func addObserver<U: ListObserver>(_ observer: U) where U.ListEntityType == O {
        add(WeakListObserver(list: observer))
    }

    /// Calls an observer when the list or one of its objects changes, until the observer is deallocated or removed.
    public func addObserver<U: ListObjectObserver>(_ observer: U) where U.ListEntityType == O {
        add(WeakListObserver(list: observer, objects: observer))
    }

    /// Calls an observer when the list, its objects or its sections change.
    ///
    /// The calls end when the observer is deallocated or removed.
    public func addObserver<U: ListSectionObserver>(_ observer: U) where U.ListEntityType == O {
        add(WeakListObserver(list: observer, objects: observer, sections: observer))
    }

    /// Removes an observer, on any thread.
    ///
    /// ```swift
    /// people.removeObserver(self)
    /// ```
    ///
    /// Later notifications do not call the observer. A call that already runs on another thread continues to its end.
    /// If the observer was not added, the call does nothing.
    public func removeObserver<U: ListObserver>(_ observer: U) where U.ListEntityType == O {
        observers.remove(observer)
    }

    private func add(_ added: WeakListObserver<O>) { source.observing(O.self) { observers.add(added) } }

    // MARK: Refetching

    /// Fetches the list again with other clauses, which replace all earlier ones except `From` and `SectionBy`.
    ///
    /// ```swift
    /// people.refetch(Where<Person>(\.$age >= 18), OrderBy<Person>(.ascending(\.$name)))
    /// ```
    ///
    /// Observers receive `listMonitorWillRefetch` at once, and `listMonitorDidRefetch` after the fetch on the view
    /// queue. They receive no changes of single objects. If the list cannot be fetched, it does not change, and the
    /// error is logged.
    public func refetch(_ fetchClauses: any FetchClause..., sourceIdentifier: Any? = nil) {
        refetch(fetchClauses, sourceIdentifier: sourceIdentifier)
    }

    /// Fetches the list again with an array of clauses, which replace all earlier ones except `From` and `SectionBy`.
    public func refetch(_ fetchClauses: [any FetchClause], sourceIdentifier: Any? = nil) {
        source.observing(O.self) {
            clauses = fetchClauses
            if !isPendingRefetch {
                isPendingRefetch = true
                observers.forEach { $0.list?.listMonitorWillRefetch(self, sourceIdentifier: sourceIdentifier) }
            }
            source.later { [weak self] in
                guard let self else { return }
                fetch()
                isPendingRefetch = false
                observers.forEach { $0.list?.listMonitorDidRefetch(self, sourceIdentifier: sourceIdentifier) }
            }
        }
    }

    /// Reports a read of the list outside its queue while the list waits for a refetch.
    func checkReading() {
        guard isPendingRefetch else { return }
        Diagnostics.assert(
            source.graph?.state.isAccessAllowed() ?? true,
            "A list of '\(O.self)' was read outside the view queue while it was fetched again.")
    }

    /// Fetches the list.
    ///
    /// If the fetch fails, the list does not change. If the class has no store, the list is empty.
    private func fetch() {
        guard let graph = source.graph else { return }
        do throws(CoreStoreError) {
            let request = try ListRequest(graph, from, sectionBy, clauses)
            let content = content ?? ListContent(request, source.numberingStack)
            try content.fetch(request)
            self.content = content
        } catch .persistentStoreNotFound {
            Diagnostics.log(.persistentStoreNotFound(entity: O.self), "The list could not be fetched. It is empty.")
            content = nil
        } catch {
            Diagnostics.log(error, "The list could not be fetched. It stays as it is.")
        }
    }
}

extension ListMonitor: CommitObserver {
    func prepare(_ commit: CommitDigest) -> Bool { content?.prepare(commit) ?? false }

    func announce(_ commit: CommitDigest) {
        observers.forEach { $0.list?.listMonitorWillChange(self, sourceIdentifier: commit.source) }
    }

    func accept(_ commit: CommitDigest) { shown = content?.acceptNext() }

    func deliver(_ commit: CommitDigest) {
        if let update = shown {
            shown = nil
            deliver(update, commit.source)
        }
        observers.forEach { $0.list?.listMonitorDidChange(self, sourceIdentifier: commit.source) }
    }

    private func deliver(_ update: ListUpdate, _ source: Any?) {
        guard observers.contains(where: { $0.objects != nil }) else { return }
        let sections = sectionBy == nil ? nil : SectionChange(update)
        for index in sections?.inserted ?? [] {
            let section = info(ofRun: index, in: update.new)
            observers.forEach {
                $0.sections?.listMonitor(
                    self, didInsertSection: section, toSectionIndex: index, sourceIdentifier: source)
            }
        }
        deliverObjects(update, source)
        for index in (sections?.removed ?? []).reversed() {
            let name = update.old[update.old.start(ofRun: index)].section?.text ?? ""
            let gone = SectionInfo(name: name, indexTitle: sectionBy?.sectionIndexTransformer(name), numberOfObjects: 0)
            observers.forEach {
                $0.sections?.listMonitor(
                    self, didDeleteSection: gone, fromSectionIndex: index, sourceIdentifier: source)
            }
        }
    }

    /// Reports the changes of the objects; all objects are read before the first observer is called.
    private func deliverObjects(_ update: ListUpdate, _ source: Any?) {
        let (old, new, change) = (update.old, update.new, update.change)
        let deleted = change.removed.map { (object(at: $0, in: old), path(of: $0, in: old)) }
        let inserted = change.inserted.map { (object(at: $0, in: new), path(of: $0, in: new)) }
        let moved = change.moved.map { from, to in
            (object(at: to, in: new), path(of: from, in: old), path(of: to, in: new))
        }
        let updated = change.updated.map { from, to in (object(at: to, in: new), path(of: from, in: old)) }
        for (object, path) in deleted {
            observers.forEach {
                $0.objects?.listMonitor(self, didDeleteObject: object, fromIndexPath: path, sourceIdentifier: source)
            }
        }
        for (object, path) in inserted {
            observers.forEach {
                $0.objects?.listMonitor(self, didInsertObject: object, toIndexPath: path, sourceIdentifier: source)
            }
        }
        for (object, from, to) in moved {
            observers.forEach {
                $0.objects?.listMonitor(
                    self, didMoveObject: object, fromIndexPath: from, toIndexPath: to, sourceIdentifier: source)
            }
        }
        for (object, path) in updated {
            observers.forEach {
                $0.objects?.listMonitor(self, didUpdateObject: object, atIndexPath: path, sourceIdentifier: source)
            }
        }
    }

    func storagesDidChange() {
        if content?.request.hasSameStores != true { refetch(clauses) }
    }
}

/// Returns whether both values are the same monitor; monitors of different classes never are.
public func == <T, U>(lhs: ListMonitor<T>, rhs: ListMonitor<U>) -> Bool { lhs === rhs }

/// Returns whether both values are the same monitor; monitors of different classes never are.
public func ~= <T, U>(lhs: ListMonitor<T>, rhs: ListMonitor<U>) -> Bool { lhs === rhs }

extension ListMonitor: CustomDebugStringConvertible, CoreStoreDebugStringConvertible {
    /// The clauses of the list and, on its own queue, the number of objects.
    public var coreStoreDumpString: String {
        var fields: [(name: String, value: Any)] = [("from", from), ("sectionBy", sectionBy as Any)]
        if source.graph?.state.isAccessAllowed() == true {
            fields += [
                ("fetchClauses", clauses), ("isPendingRefetch", isPendingRefetch),
                ("numberOfObjects", content?.tree.count as Any),
            ]
        }
        return DumpTree.text(fields)
    }
}
