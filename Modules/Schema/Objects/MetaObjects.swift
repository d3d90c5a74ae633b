import CofferStorage

/// Creates the meta object of each class once, and lists the fields of the class.
package enum MetaObjects {
    static let row = RowBuilder(entity: 0, key: 0, version: 0, slotCount: 0, tailCapacity: 0).build()
    // Safe: a context without a graph keeps nothing, and is never written to.
    nonisolated(unsafe) static let context = ObjectContext(nil, isEditable: false)

    // Sendable: immutable after its creation. A meta object is used only to read the words of its wrappers.
    private struct Entry: @unchecked Sendable {
        let object: CoreStoreObject
        let fields: [FieldDescriptor]
        let hasLinkedProperties: Bool
    }

    private static let entries = Locked<[ObjectIdentifier: Entry]>([:])

    /// The class's meta object.
    package static func meta<O: CoreStoreObject>(of type: O.Type) -> O {
        unsafeDowncast(entry(of: type).object, to: O.self)
    }

    /// Returns the fields of the class in the order of initialisation: its own, then those of its superclasses.
    package static func fields(of type: CoreStoreObject.Type) -> [FieldDescriptor] { entry(of: type).fields }

    /// The fields that the class declares itself.
    static func ownFields(of type: CoreStoreObject.Type) -> ArraySlice<FieldDescriptor> {
        fields(of: type).dropLast(type.superclassOfObjects.map { fields(of: $0).count } ?? 0)
    }

    /// Whether the class or a superclass of it has deprecated properties.
    static func hasLinkedProperties(_ type: CoreStoreObject.Type) -> Bool {
        entry(of: type).hasLinkedProperties
    }

    private static func entry(of type: CoreStoreObject.Type) -> Entry {
        let identifier = ObjectIdentifier(type)
        if let entry = entries.withLock({ $0[identifier] }) { return entry }
        // The meta object is created outside the lock, because initialisers are user code and may need other meta
        // objects.
        let (object, collector) = FieldCollector.collecting { type.init(asMeta: ()) }
        let made = Entry(
            object: object, fields: collector.fields, hasLinkedProperties: !collector.links.isEmpty)
        return entries.withLock { entries in
            if let earlier = entries[identifier] { return earlier }
            entries[identifier] = made
            return made
        }
    }
}

extension CoreStoreObject {
    /// The superclasses that are also classes of objects, the nearest first.
    static var superclassesOfObjects: some Sequence<CoreStoreObject.Type> {
        sequence(first: self) { $0.superclassOfObjects }.dropFirst()
    }

    /// The superclass if it is also a class of objects; nil otherwise.
    package static var superclassOfObjects: CoreStoreObject.Type? {
        guard self != CoreStoreObject.self else { return nil }
        let parent = Mirror(reflecting: MetaObjects.meta(of: self)).superclassMirror?.subjectType
        return (parent as? CoreStoreObject.Type).flatMap { $0 == CoreStoreObject.self ? nil : $0 }
    }
}
