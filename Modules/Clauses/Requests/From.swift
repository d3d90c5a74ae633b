public import CofferSchema
public import CofferStorage
public import CofferStorageTools

/// The class that a fetch looks for, and the stores that it reads.
///
/// ```swift
/// From<Person>()                        // all stores that hold the class
/// From<Person>("Archive")               // the store of one configuration
/// From<Person>(nil, "Archive")          // this store and the store of the default configuration
/// ```
///
/// A fetch also finds objects of subclasses. If several stores hold the class, their objects are returned as one list
/// in the order of the fetch. If no store of the stack holds the class, the fetch throws `persistentStoreNotFound`.
public struct From<O: DynamicObject>: Sendable {
    /// The class of the objects.
    public let entityClass: O.Type
    /// The configurations whose stores are read; nil for all stores that hold the class.
    ///
    /// In the list, nil is the default configuration.
    public let configurations: [ModelConfiguration]?

    /// Reads all stores that hold the class.
    public init() { self.init(O.self, nil as [ModelConfiguration]?) }

    /// Reads all stores that hold the given class, which may be a subclass of the type parameter.
    public init(_ entity: O.Type) { self.init(entity, nil as [ModelConfiguration]?) }

    /// Reads the stores of some configurations; nil is the default configuration.
    public init(_ configuration: ModelConfiguration, _ otherConfigurations: ModelConfiguration...) {
        self.init(O.self, [configuration] + otherConfigurations)
    }

    /// Reads the stores of a list of configurations; nil is the default configuration.
    public init(_ configurations: [ModelConfiguration]) { self.init(O.self, configurations) }

    /// Searches for a given class in the stores of some configurations; nil is the default configuration.
    public init(_ entity: O.Type, _ configuration: ModelConfiguration, _ otherConfigurations: ModelConfiguration...) {
        self.init(entity, [configuration] + otherConfigurations)
    }

    /// Searches for a given class in the stores of a list of configurations; nil is the default configuration.
    public init(_ entity: O.Type, _ configurations: [ModelConfiguration]) {
        self.init(entity, configurations as [ModelConfiguration]?)
    }

    private init(_ entity: O.Type, _ configurations: [ModelConfiguration]?) {
        entityClass = entity
        self.configurations = configurations
    }
}

extension From: CustomStringConvertible, CustomDebugStringConvertible, CoreStoreDebugStringConvertible {
    /// The class, such as `From<Person>`.
    public var description: String { "From<\(entityClass)>" }

    /// The class and the configurations.
    public var coreStoreDumpString: String {
        DumpTree.text([
            ("entityClass", entityClass),
            ("configurations", configurations as Any),
        ])
    }
}
