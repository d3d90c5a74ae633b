import CofferStorage
public import Foundation

/// How the values of a coded field become bytes and back, with the coder hidden.
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

    /// The coder of a value that is always there.
    @usableFromInline
    init<Coder: FieldCoderType>(_ coder: Coder.Type) where Coder.FieldStoredValue == V {
        self.init(Coder.encoded) { data in
            guard let value = try Coder.decoded(data) else { throw FieldCodingError("There is none.") }
            return value
        }
    }

    /// The coder of a value that may not be there.
    @usableFromInline
    init<Coder: FieldCoderType>(optional coder: Coder.Type)
    where V: FieldOptionalType, Coder.FieldStoredValue == V.Wrapped {
        self.init {
            try Coder.encoded($0.cs_wrappedValue)
        } _: { data in
            guard let value = try Coder.decoded(data) else { return nil }
            // A value of the wrapped type is one of the optional type.
            return value as? V ?? nil
        }
    }
}

extension FieldDescriptor.StoredField {
    /// A field whose values are kept as bytes.
    static func coded<V>(
        _ coding: FieldCoding<V>, isOptional: Bool, _ initial: V?, _ dynamic: (() -> V)?, _ getter: FieldReader<V>?,
        _ setter: FieldWriter<V>?
    ) -> Self {
        var defaultValue = Value.null
        var problem: String?
        do {
            if let initial, let data = try coding.encode(initial) { defaultValue = .blob(data) }
        } catch {
            problem = "has a default that cannot be encoded: \(FieldCodingError.text(of: error))"
        }
        var field = Self(
            type: .transformableAttributeType, isOptional: isOptional, defaultValue: defaultValue,
            dynamicInitialValue: dynamic.map { value in { try coding.encode(value()) } }, customGetter: getter,
            customSetter: setter
        )
        field.coding = coding
        field.fallback = (initial.map { value in { value } } ?? dynamic).map { FieldFallback(value: $0) }
        field.problem = problem
        return field
    }
}

/// What is read where a field has no value that can be read.
struct FieldFallback<V> {
    let value: () -> V
}
