public import Foundation

/// Encodes and decodes the values of a coded field, and hides the type of its coder.
@usableFromInline
struct FieldCoding<V> {
    /// The bytes of a value; nil for null.
    let encode: (V) throws -> Data?
    /// The value of stored bytes, or of null.
    let decode: (Data?) throws -> V

    @usableFromInline
    init(_ encode: @escaping (V) throws -> Data?, _ decode: @escaping (Data?) throws -> V) {
        self.encode = encode
        self.decode = decode
    }

    /// Creates the coding of a value that is always present.
    @usableFromInline
    init<Coder: FieldCoderType>(_ coder: Coder.Type) where Coder.FieldStoredValue == V {
        self.init(Coder.encoded) { data in
            guard let value = try Coder.decoded(data) else { throw FieldCodingError("There is no value.") }
            return value
        }
    }

    /// Creates the coding of an optional value.
    @usableFromInline
    init<Coder: FieldCoderType>(optional coder: Coder.Type)
    where V: FieldOptionalType, Coder.FieldStoredValue == V.Wrapped {
        self.init {
            try Coder.encoded($0.cs_wrappedValue)
        } _: { data in
            guard let value = try Coder.decoded(data) else { return nil }
            // A value of the wrapped type is also a value of the optional type.
            return value as? V ?? nil
        }
    }
}

/// The value of a field that has no readable value.
struct FieldFallback<V> {
    let value: () -> V
}
