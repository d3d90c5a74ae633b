/// The type of a relationship: `D?`, `[D]` or `Set<D>` of a class of objects.
public protocol FieldRelationshipType {
    /// The class of the related objects.
    associatedtype DestinationObjectType: CoreStoreObject

    /// Whether there can be more than one related object.
    static var _isToMany: Bool { get }
    /// Whether the related objects keep an order.
    static var _isOrdered: Bool { get }
    /// Reads the relationship with an index in the model.
    static func _related(_ relationship: Int, of object: CoreStoreObject) -> Self
    /// Sets it.
    func _relate(_ relationship: Int, of object: CoreStoreObject)
    /// The value of a relationship that leads nowhere.
    static var _empty: Self { get }
}

/// The type of a relationship to at most one object: `D?`.
public protocol FieldRelationshipToOneType: FieldRelationshipType {}

/// The type of a relationship to any number of objects.
public protocol FieldRelationshipToManyType: FieldRelationshipType where Self: Sequence {}

/// The type of a relationship that keeps its objects in order: `[D]`. An object is in it at most once.
public protocol FieldRelationshipToManyOrderedType: FieldRelationshipToManyType {}

/// The type of a relationship without an order: `Set<D>`.
public protocol FieldRelationshipToManyUnorderedType: FieldRelationshipToManyType {}

// The driver returns objects of the relationship's destination entity or its sub-entities, whose classes are the
// relationship's class or its subclasses, because that is how entities are made from classes. Hence the downcasts.

extension Optional: FieldRelationshipType, FieldRelationshipToOneType where Wrapped: CoreStoreObject {
    public typealias DestinationObjectType = Wrapped

    public static var _isToMany: Bool { false }
    public static var _isOrdered: Bool { false }
    public static var _empty: Self { nil }

    public static func _related(_ relationship: Int, of object: CoreStoreObject) -> Self {
        object.context.driver.related(toOne: relationship, of: object).map { unsafeDowncast($0, to: Wrapped.self) }
    }

    public func _relate(_ relationship: Int, of object: CoreStoreObject) {
        object.context.driver.relate(object, toOne: relationship, self)
    }
}

extension Array: FieldRelationshipType, FieldRelationshipToManyType, FieldRelationshipToManyOrderedType
where Element: CoreStoreObject {
    public typealias DestinationObjectType = Element

    public static var _isToMany: Bool { true }
    public static var _isOrdered: Bool { true }
    public static var _empty: Self { [] }

    public static func _related(_ relationship: Int, of object: CoreStoreObject) -> Self {
        object.context.driver.related(toMany: relationship, of: object).map { unsafeDowncast($0, to: Element.self) }
    }

    public func _relate(_ relationship: Int, of object: CoreStoreObject) {
        object.context.driver.relate(object, toMany: relationship, self)
    }
}

extension Set: FieldRelationshipType, FieldRelationshipToManyType, FieldRelationshipToManyUnorderedType
where Element: CoreStoreObject {
    public typealias DestinationObjectType = Element

    public static var _isToMany: Bool { true }
    public static var _isOrdered: Bool { false }
    public static var _empty: Self { [] }

    public static func _related(_ relationship: Int, of object: CoreStoreObject) -> Self {
        let objects = object.context.driver.related(toMany: relationship, of: object)
        var result = Set(minimumCapacity: objects.count)
        for object in objects { result.insert(unsafeDowncast(object, to: Element.self)) }
        return result
    }

    public func _relate(_ relationship: Int, of object: CoreStoreObject) {
        object.context.driver.relate(object, toMany: relationship, Array<CoreStoreObject>(self))
    }
}
