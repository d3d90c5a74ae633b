public import CofferSchema
public import CofferStorage
public import CofferTransactions

/// The type of a relationship in snapshots and publishers.
///
/// A publisher replaces each object: the relationship is a `D?`, `[D]` or `Set<D>` of publishers.
public protocol PublishedRelationshipType: FieldRelationshipType {
    /// The type with publishers in place of objects.
    associatedtype PublishedType

    /// Publishers of some objects.
    static func _published(_ ids: [ObjectID], in stack: DataStack?) -> PublishedType
    /// The ids of published objects.
    static func _ids(of published: PublishedType) -> [ObjectID]
}

extension Optional: PublishedRelationshipType where Wrapped: CoreStoreObject {
    /// A publisher of the related object.
    public typealias PublishedType = ObjectPublisher<Wrapped>?

    /// The publisher of the only object.
    public static func _published(_ ids: [ObjectID], in stack: DataStack?) -> PublishedType {
        ids.first.map { .of($0, in: stack) }
    }

    /// The id of the only object.
    public static func _ids(of published: PublishedType) -> [ObjectID] { published.map { [$0.objectID()] } ?? [] }
}

extension Array: PublishedRelationshipType where Element: CoreStoreObject {
    /// Publishers of the related objects, in their order.
    public typealias PublishedType = [ObjectPublisher<Element>]

    /// Publishers of some objects.
    public static func _published(_ ids: [ObjectID], in stack: DataStack?) -> PublishedType {
        ids.map { .of($0, in: stack) }
    }

    /// The ids of published objects.
    public static func _ids(of published: PublishedType) -> [ObjectID] { published.map { $0.objectID() } }
}

extension Set: PublishedRelationshipType where Element: CoreStoreObject {
    /// Publishers of the related objects.
    public typealias PublishedType = Set<ObjectPublisher<Element>>

    /// Publishers of some objects.
    public static func _published(_ ids: [ObjectID], in stack: DataStack?) -> PublishedType {
        Set<ObjectPublisher<Element>>(ids.map { .of($0, in: stack) })
    }

    /// The ids of published objects.
    public static func _ids(of published: PublishedType) -> [ObjectID] {
        published.map { $0.objectID() }.sorted { $0.key < $1.key }
    }
}
