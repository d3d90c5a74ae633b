/// The types of relationships, `D?`, `[D]` and `Set<D>`, with the calls that read and set their related objects.
public protocol FieldRelationshipType {
    /// The class of the related objects.
    associatedtype DestinationObjectType: CoreStoreObject

    /// Reads the relationship with an index in the model.
    static func _related(_ relationship: Int, of object: CoreStoreObject) -> Self
    /// Sets the relationship with an index in the model.
    func _relate(_ relationship: Int, of object: CoreStoreObject)
    /// The value of a relationship without related objects.
    static var _empty: Self { get }
}

/// The type of a relationship to at most one object: `D?`.
public protocol FieldRelationshipToOneType: FieldRelationshipType {}

/// The type of a relationship to any number of objects.
public protocol FieldRelationshipToManyType: FieldRelationshipType where Self: Sequence {}

/// The type of an ordered relationship: `[D]`.
///
/// The relationship contains an object at most once.
public protocol FieldRelationshipToManyOrderedType: FieldRelationshipToManyType {}

/// The type of an unordered relationship to any number of objects: `Set<D>`.
public protocol FieldRelationshipToManyUnorderedType: FieldRelationshipToManyType {}

// The downcasts are safe. The driver returns objects of the destination entity of the relationship, or of its
// sub-entities. Their classes are the class of the relationship or its subclasses, because entities are created from
// classes.

extension Optional: FieldRelationshipType, FieldRelationshipToOneType where Wrapped: CoreStoreObject {
    /// The class of the related objects.
    public typealias DestinationObjectType = Wrapped

    /// The value of a relationship without related objects.
    public static var _empty: Self { nil }

    /// Returns the related objects of an object.
    @inlinable
    public static func _related(_ relationship: Int, of object: CoreStoreObject) -> Self {
        object.relatedObject(relationship).map { unsafeDowncast($0, to: Wrapped.self) }
    }

    /// Sets the related objects of an object.
    public func _relate(_ relationship: Int, of object: CoreStoreObject) {
        object.context.driver.relate(object, toOne: relationship, self)
    }
}

extension Array: FieldRelationshipType, FieldRelationshipToManyType, FieldRelationshipToManyOrderedType
where Element: CoreStoreObject {
    /// The class of the related objects.
    public typealias DestinationObjectType = Element

    /// The value of a relationship without related objects.
    public static var _empty: Self { [] }

    /// Returns the related objects of an object.
    @inlinable
    public static func _related(_ relationship: Int, of object: CoreStoreObject) -> Self {
        var result: [Element] = []
        object.forEachRelated(relationship) {
            result.reserveCapacity($0)
        } _: {
            result.append(unsafeDowncast($0.takeUnretainedValue(), to: Element.self))
        }
        return result
    }

    /// Sets the related objects of an object.
    public func _relate(_ relationship: Int, of object: CoreStoreObject) {
        object.context.driver.relate(object, toMany: relationship, self)
    }
}

extension Set: FieldRelationshipType, FieldRelationshipToManyType, FieldRelationshipToManyUnorderedType
where Element: CoreStoreObject {
    /// The class of the related objects.
    public typealias DestinationObjectType = Element

    /// The value of a relationship without related objects.
    public static var _empty: Self { [] }

    /// Returns the related objects of an object.
    @inlinable
    public static func _related(_ relationship: Int, of object: CoreStoreObject) -> Self {
        var result: Set<Element> = []
        object.forEachRelated(relationship) {
            result.reserveCapacity($0)
        } _: {
            // Unlike insert(_:), update(with:) does not retain the element for its result.
            result.update(with: unsafeDowncast($0.takeUnretainedValue(), to: Element.self))
        }
        return result
    }

    /// Sets the related objects of an object.
    public func _relate(_ relationship: Int, of object: CoreStoreObject) {
        object.context.driver.relate(object, toMany: relationship, Array<CoreStoreObject>(self))
    }
}

extension CoreStoreObject {
    @usableFromInline
    final func relatedObject(_ relationship: Int) -> CoreStoreObject? {
        context.driver.related(toOne: relationship, of: self)
    }

    @usableFromInline
    final func forEachRelated(
        _ relationship: Int, reserve: (Int) -> Void, _ body: (Unmanaged<CoreStoreObject>) -> Void
    ) {
        context.driver.forEachRelated(toMany: relationship, of: self, reserve: reserve, body)
    }
}
