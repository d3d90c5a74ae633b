/// A type whose values importers may read from a source.
public protocol ImportableAttributeType: QueryableAttributeType {}
