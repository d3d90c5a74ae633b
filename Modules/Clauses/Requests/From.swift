public import CofferSchema
public import CofferStorage
public import CofferStorageTools

/// Where a fetch looks: which class, in which stores.
///
/// ```swift
/// From<Person>()                        // every store that holds the class
/// From<Person>("Archive")               // the store of one configuration
/// From<Person>(nil, "Archive")          // that one and the default one
/// ```
///
/// Objects of subclasses are found too. What several stores hold is fetched as one.
public struct From<O: DynamicObject>: Sendable {
    /// The class of the objects.
    public let entityClass: O.Type
    /// The configurations whose stores are asked, of which nil is the default one; without a list, every store that
    /// holds the class.
    public let configurations: [ModelConfiguration]?

    /// Looks in every store that holds the class.
    public init() {
        self.init(O.self, nil as [ModelConfiguration]?)
    }

    /// Looks for a given class in every store that holds it.
    public init(_ entity: O.Type) {
        self.init(entity, nil as [ModelConfiguration]?)
    }

    /// Looks in the stores of some configurations; nil is the default one.
    public init(_ configuration: ModelConfiguration, _ otherConfigurations: ModelConfiguration...) {
        self.init(O.self, [configuration] + otherConfigurations)
    }

    /// Looks in the stores of some configurations; nil is the default one.
    public init(_ configurations: [ModelConfiguration]) {
        self.init(O.self, configurations)
    }

    /// Looks for a given class in the stores of some configurations; nil is the default one.
    public init(_ entity: O.Type, _ configuration: ModelConfiguration, _ otherConfigurations: ModelConfiguration...) {
        self.init(entity, [configuration] + otherConfigurations)
    }

    /// Looks for a given class in the stores of some configurations; nil is the default one.
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
