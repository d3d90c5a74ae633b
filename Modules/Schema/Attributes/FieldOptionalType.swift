/// The type of an optional field.
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
