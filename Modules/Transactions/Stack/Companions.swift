/// Objects of other modules that belong to a data stack or a transaction, one of each class.
struct Companions {
    private var objects: [ObjectIdentifier: AnyObject] = [:]

    /// The object of a class; nil until it is set.
    subscript<Companion: AnyObject>(type: Companion.Type) -> Companion? {
        get { objects[ObjectIdentifier(type)] as? Companion }
        set { objects[ObjectIdentifier(type)] = newValue }
    }
}
