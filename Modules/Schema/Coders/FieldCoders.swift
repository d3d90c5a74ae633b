/// The coders of this library: `Json`, `Plist`, `NSCoding` and `DefaultNSSecureCoding`.
public enum FieldCoders {
    /// Returns the only element of an array; JSON and property lists did not always allow a value without an array.
    static func onlyElement<V>(of values: [V]) throws -> V {
        guard let value = values.first else { throw FieldCodingError("The bytes contain no value.") }
        return value
    }
}
