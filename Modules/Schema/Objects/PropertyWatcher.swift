/// Observes one property of one object, and the properties that affect it.
///
/// An object does not keep its watchers alive.
package final class PropertyWatcher {
    /// A property, by the number that its accessors use.
    package enum Property: Hashable {
        /// A slot of the row.
        case slot(Int)
        /// A virtual field, by its index in the class.
        case virtual(Int)
        /// A relationship, by its index in the model.
        case relationship(Int)
    }

    private let properties: Set<Property>
    private let willChange: () -> Void
    private let didChange: () -> Void
    private var isChanging = false

    /// - Parameters:
    ///   - properties: the property, and the properties that affect it.
    ///   - willChange: called while the property still has its former value.
    ///   - didChange: called when the property has its new value.
    package init(_ properties: Set<Property>, willChange: @escaping () -> Void, didChange: @escaping () -> Void) {
        self.properties = properties
        self.willChange = willChange
        self.didChange = didChange
    }

    fileprivate func watches(_ property: Property) -> Bool { properties.contains(property) }

    /// Begins a change; returns false inside another change.
    ///
    /// A change is inside another change if, for example, a custom setter sets a field that affects the setter's own
    /// field.
    fileprivate func begin() -> Bool {
        guard !isChanging else { return false }
        isChanging = true
        willChange()
        return true
    }

    fileprivate func end() {
        isChanging = false
        didChange()
    }
}

extension CoreStoreObject {
    /// Notifies a watcher whenever its property of this object is set; the watcher is not kept alive.
    package final func add(_ watcher: PropertyWatcher) {
        guard !state.contains(.isForwarding) else { return canonical.add(watcher) }
        state.insert(.isObserved)
        attached.watchers = (attached.watchers ?? []).filter { $0.object != nil } + [Weak(object: watcher)]
    }

    /// Whether a property has a watcher.
    package final func isWatched(_ property: PropertyWatcher.Property) -> Bool {
        state.contains(.isObserved) && watchers(of: property).isEmpty == false
    }

    /// Sets a property, and notifies its watchers before and after.
    @inline(__always)
    package final func watching(_ property: PropertyWatcher.Property, _ body: () -> Void) {
        guard state.contains(.isObserved) else { return body() }
        let watchers = watchers(of: property).filter { $0.begin() }
        body()
        for watcher in watchers { watcher.end() }
    }

    private final func watchers(of property: PropertyWatcher.Property) -> [PropertyWatcher] {
        (attachment?.watchers ?? []).compactMap(\.object).filter { $0.watches(property) }
    }
}
