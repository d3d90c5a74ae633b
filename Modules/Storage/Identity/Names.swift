/// The name of an entity, which may differ from the name of its class.
public typealias EntityName = String
/// The name of a property, or a dotted path of names through relationships.
public typealias KeyPathString = String
/// The name of a model version.
public typealias ModelVersion = String
/// The name of a subset of the entities; nil for the default configuration, which contains all entities.
public typealias ModelConfiguration = String?
