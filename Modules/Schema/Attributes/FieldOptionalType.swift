/// The protocol of the types of optional fields, to which `Optional` conforms.
public protocol FieldOptionalType: ExpressibleByNilLiteral {
    /// The type of a value that is not nil.
    associatedtype Wrapped
    /// The value as an optional.
    var cs_wrappedValue: Wrapped? { get }
}

extension Optional: FieldOptionalType {
    /// The optional itself.
    public var cs_wrappedValue: Wrapped? { self }
}
