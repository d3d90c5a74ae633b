/// The closure that a publisher calls for one observing object, and a weak reference to this object.
struct ClosureObserver<Publisher> {
    weak var observer: AnyObject?
    let callback: (Publisher, Any?) -> Void
}
