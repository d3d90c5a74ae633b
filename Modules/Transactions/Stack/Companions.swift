/// Objects of other modules that belong to a data stack or a transaction, one of each class.
struct Companions {
    private var objects: [ObjectIdentifier: AnyObject] = [:]

    /// The object of a class; it is created at the first call.
    mutating func object<Companion: AnyObject>(_ make: () -> Companion) -> Companion {
        let key = ObjectIdentifier(Companion.self)
        if let known = objects[key] as? Companion { return known }
        let made = make()
        objects[key] = made
        return made
    }
}
