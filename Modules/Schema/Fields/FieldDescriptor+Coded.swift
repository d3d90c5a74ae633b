import CofferStorage

/// Creates the description of a coded field from the arguments of its property wrapper.
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
