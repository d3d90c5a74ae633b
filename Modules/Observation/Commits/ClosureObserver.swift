/// The closure that a publisher calls for one observing object, which it does not keep alive.
struct ClosureObserver<Publisher> {
    weak var observer: AnyObject?
    let callback: (Publisher, Any?) -> Void
}
