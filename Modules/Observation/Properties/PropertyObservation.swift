import CofferSchema
import CofferStorage
import CofferTransactions

/// The observation of one property of one object: compares old and new values, and calls a closure for a change.
///
/// If the property or a property that affects it is set, the observation is notified on the same thread. For an
/// object of a data stack, commits notify the observation.
final class PropertyObservation<O: CoreStoreObject, V>: CoreStoreObjectKeyValueObservation {
    private weak var object: O?
    /// The property, and the properties that affect it.
    private let properties: Set<PropertyWatcher.Property>
    private let options: ObservationOptions
    private let read: (O) -> V
    private let handler: (O, PropertyChange<V>) -> Void
    private var watcher: PropertyWatcher?
    private var isValid = true
    /// The value before the current change; for an object of a data stack, the last known value.
    private var former: V?

    /// Begins the observation; nil if it cannot begin, and the reason is logged.
    ///
    /// - Parameter read: reads the property.
    init?(
        _ object: O?, _ key: KeyPathString, _ options: ObservationOptions, read: @escaping (O) -> V,
        _ handler: @escaping (O, PropertyChange<V>) -> Void
    ) {
        guard let object, let graph = object.context.driver as? ObjectGraph else {
            Diagnostics.assert(
                false, "'\(key)' cannot be observed, because its object, data stack or transaction no longer exists.")
            return nil
        }
        guard graph.isEditable || graph.mayObserve(O.self) else { return nil }
        let properties = graph.binding.entities[object.row.entity].watchedProperties(key)
        guard !properties.isEmpty else {
            Diagnostics.assert(false, "'\(key)' cannot be observed, because '\(O.self)' has no such property.")
            return nil
        }
        self.object = object
        self.properties = properties
        self.options = options
        self.read = read
        self.handler = handler
        if graph.isEditable {
            let watcher = PropertyWatcher(properties) { [weak self] in
                self?.willChange()
            } didChange: { [weak self] in
                self?.didChange()
            }
            graph.add(watcher, to: object)
            self.watcher = watcher
        } else if let stack = graph.source as? DataStack {
            if options.contains(.old) { former = read(object) }
            CommitObservers.of(stack).add(self, of: object.objectID())
        }
        if options.contains(.initial) {
            handler(object, PropertyChange(newValue: options.contains(.new) ? read(object) : nil))
        }
    }

    func invalidate() {
        isValid = false
        watcher = nil
        former = nil
    }

    private func willChange() {
        guard isValid, let object else { return }
        former = options.contains(.old) ? read(object) : nil
        guard options.contains(.prior) else { return }
        handler(object, PropertyChange(isPrior: true, oldValue: former))
    }

    private func didChange() {
        guard isValid, let object else { return }
        let former = former
        self.former = nil
        handler(object, PropertyChange(oldValue: former, newValue: options.contains(.new) ? read(object) : nil))
    }
}

extension PropertyObservation: CommitObserver {
    func prepare(_ commit: CommitDigest) -> Bool {
        guard isValid, let object, let graph = object.context.driver as? ObjectGraph else { return false }
        let id = object.objectID()
        let change = commit.change(of: id)
        return properties.contains { property in
            switch property {
            case .virtual: false
            case .slot(let slot): commit.isUnknown || hasChanged(slot, change, graph)
            case .relationship(let index): commit.isUnknown || hasChanged(relationship: index, id, commit, graph)
            }
        }
    }

    private func hasChanged(
        relationship index: Int, _ id: ObjectID, _ commit: CommitDigest, _ graph: ObjectGraph
    ) -> Bool {
        if case .reference(let slot, _) = graph.layout.relationships[index].storage {
            return hasChanged(slot, commit.change(of: id), graph)
        }
        return commit.touched.byOwner[id]?.contains(index) ?? false
    }

    private func hasChanged(_ slot: Int, _ change: CommitDigest.Change?, _ graph: ObjectGraph) -> Bool {
        guard let change, let new = change.new else { return false }
        guard let old = change.old else { return true }
        return !old.hasSameValue(slot, graph.layout.entities[new.entity].kinds[slot], as: new)
    }

    func accept(_ commit: CommitDigest) {}

    func deliver(_ commit: CommitDigest) {
        guard isValid, let object else { return }
        let old = former
        if options.contains(.old) { former = read(object) }
        handler(object, PropertyChange(oldValue: old, newValue: options.contains(.new) ? read(object) : nil))
    }
}

/// An observation that could not begin.
final class NoObservation: CoreStoreObjectKeyValueObservation {
    func invalidate() {}
}
