/// A reference to an object that does not keep the object alive.
struct Weak<Object: AnyObject> {
    weak var object: Object?
}
