/// The coders of this library: `Json`, `Plist`, `NSCoding` and `DefaultNSSecureCoding`.
public enum FieldCoders {
    /// The value that JSON and property lists hold in an array, since neither has always allowed a bare one.
    static func onlyElement<V>(of values: [V]) throws -> V {
        guard let value = values.first else { throw FieldCodingError("They hold no value.") }
        return value
    }
}
