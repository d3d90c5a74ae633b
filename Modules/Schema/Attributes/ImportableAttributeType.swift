/// A type whose values an import may read from a source.
public protocol ImportableAttributeType: QueryableAttributeType {}
