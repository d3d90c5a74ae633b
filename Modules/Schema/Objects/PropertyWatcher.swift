/// Observes one property of one object, and the properties that affect it.
///
/// Objects hold their watchers weakly.
package final class PropertyWatcher {
    /// A property by what its accessors know it by.
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
    ///   - properties: the property, and those that affect it.
    ///   - willChange: called while the property still has its former value.
    ///   - didChange: called when it has its new value.
    package init(_ properties: Set<Property>, willChange: @escaping () -> Void, didChange: @escaping () -> Void) {
        self.properties = properties
        self.willChange = willChange
        self.didChange = didChange
    }

    fileprivate func watches(_ property: Property) -> Bool { properties.contains(property) }

    /// Whether a change begins here; false inside another one, as where a custom setter sets a field that affects its own.
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
    /// Tells a watcher whenever its property is set here, as long as someone else holds it.
    package final func add(_ watcher: PropertyWatcher) {
        guard !state.contains(.isForwarding) else { return canonical.add(watcher) }
        state.insert(.isObserved)
        attached.watchers = (attached.watchers ?? []).filter { $0.object != nil } + [Weak(object: watcher)]
    }

    /// Whether someone is told when a property is set.
    package final func isWatched(_ property: PropertyWatcher.Property) -> Bool {
        state.contains(.isObserved) && watchers(of: property).isEmpty == false
    }

    /// Sets a property, and tells its watchers before and after.
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
