/// The name of an entity, free of the name of the class that stands for it.
public typealias EntityName = String
/// The name of a property, or a dotted path of names through relationships.
public typealias KeyPathString = String
/// The name of a model version.
public typealias ModelVersion = String
/// The name of a subset of the entities, or nil for the default one, which holds them all.
public typealias ModelConfiguration = String?
