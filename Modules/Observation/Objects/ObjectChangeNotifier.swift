package import CofferSchema
import CofferStorage
import CofferTransactions

/// Notifies a closure of every change of an object, for as long as the notifier exists.
///
/// - Objects of a data stack: on the view queue, after each commit that changes or deletes the object.
/// - Objects of a transaction: on the thread that sets a property, before and after the change.
package final class ObjectChangeNotifier {
    private var watcher: PropertyWatcher?
    /// The publisher of the object; nil for an object of a transaction.
    private var publisher: ObjectPublisher<CoreStoreObject>?

    /// - Parameter onChange: not called if the data stack or the transaction of the object no longer exists.
    package init(of object: CoreStoreObject, onChange: @escaping () -> Void) {
        guard let graph = object.context.driver as? ObjectGraph else { return }
        if graph.isEditable {
            let entity = graph.binding.entities[object.row.entity]
            let properties = Set(entity.fields.flatMap { entity.watchedProperties($0.descriptor.keyPath) })
            let watcher = PropertyWatcher(properties, willChange: onChange, didChange: onChange)
            graph.add(watcher, to: object)
            self.watcher = watcher
        } else if let stack = graph.source as? DataStack {
            let publisher = ObjectPublisher<CoreStoreObject>.of(object.objectID(), in: stack)
            publisher.addObserver(self) { _ in onChange() }
            self.publisher = publisher
        }
    }

    /// Ends the notifications of an object of a data stack, on any thread.
    ///
    /// The notifications of an object of a transaction end when this notifier is deallocated.
    package func end() { publisher?.removeObserver(self) }
}
