public import CofferSchema
public import CofferStorage
public import CofferStorageTools

/// The class of a new object, and the store that receives the object.
///
/// ```swift
/// let person = transaction.create(Into<Person>())
/// let letter = transaction.create(Into<Letter>("Archive"))
/// ```
///
/// Name a configuration if several stores hold the class. If no store or more than one fits, `create` stops the program
/// with a message.
public struct Into<O: DynamicObject>: Hashable, Sendable {
    /// The class of the object.
    public let entityClass: O.Type
    /// The configuration of the store; nil is the default configuration.
    public let configuration: ModelConfiguration
    /// Whether the object is created in the only store that holds the class, of any configuration.
    package let inferStoreIfPossible: Bool

    /// Creates an object in the only store that holds the class.
    public init() { self.init(O.self, nil, inferStoreIfPossible: true) }

    /// Creates an object of a given class in the only store that holds the class.
    public init(_ entity: O.Type) { self.init(entity, nil, inferStoreIfPossible: true) }

    /// Creates an object in the store of a configuration; nil is the default configuration.
    public init(_ configuration: ModelConfiguration) {
        self.init(O.self, configuration, inferStoreIfPossible: false)
    }

    /// Creates an object of a given class in the store of a configuration; nil is the default configuration.
    public init(_ entity: O.Type, _ configuration: ModelConfiguration) {
        self.init(entity, configuration, inferStoreIfPossible: false)
    }

    private init(_ entity: O.Type, _ configuration: ModelConfiguration, inferStoreIfPossible: Bool) {
        entityClass = entity
        self.configuration = configuration
        self.inferStoreIfPossible = inferStoreIfPossible
    }

    /// Whether both create objects of the same class in the same store.
    public static func == (lhs: Into, rhs: Into) -> Bool { lhs.isEqual(to: rhs) }

    fileprivate func isEqual<V>(to other: Into<V>) -> Bool {
        ObjectIdentifier(entityClass) == ObjectIdentifier(other.entityClass)
            && configuration == other.configuration && inferStoreIfPossible == other.inferStoreIfPossible
    }

    /// Hashes the class and the configuration.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(entityClass))
        hasher.combine(configuration)
        hasher.combine(inferStoreIfPossible)
    }
}

/// Whether both create objects of the same class in the same store; the type parameters may differ.
public func == <U, V>(lhs: Into<U>, rhs: Into<V>) -> Bool { lhs.isEqual(to: rhs) }

extension Into: CustomStringConvertible, CustomDebugStringConvertible, CoreStoreDebugStringConvertible {
    /// The class, such as `Into<Person>`.
    public var description: String { "Into<\(entityClass)>" }

    /// The class and the configuration.
    public var coreStoreDumpString: String {
        DumpTree.text([
            ("entityClass", entityClass),
            ("configuration", configuration as Any),
            ("inferStoreIfPossible", inferStoreIfPossible),
        ])
    }
}
