/// A unique constraint that a change would violate, with its entity and attributes.
public struct ViolatedConstraint: Hashable, Sendable {
    /// The name of the entity that declares the constraint.
    public var entity: EntityName
    /// The names of the attributes, in the order of the declaration.
    public var attributes: [String]

    /// Creates a constraint from its attributes.
    public init(entity: EntityName, attributes: [String]) {
        self.entity = entity
        self.attributes = attributes
    }
}
