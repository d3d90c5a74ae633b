import CofferStorage

/// Creates the description of a coded field from the arguments of its property wrapper.
extension FieldDescriptor.StoredField {
    /// Creates a field that stores its values as bytes.
    static func coded<V>(
        _ coding: FieldCoding<V>, isOptional: Bool, _ initial: V?, _ dynamic: (() -> V)?
    ) -> Self {
        var defaultValue = Value.null
        var problem: String?
        do {
            if let initial, let data = try coding.encode(initial) { defaultValue = .blob(data) }
        } catch {
            problem = "has a default that cannot be encoded: \(FieldCodingError.text(of: error))"
        }
        return Self(
            type: .transformableAttributeType, isOptional: isOptional, defaultValue: defaultValue,
            dynamicInitialValue: dynamic.map { value in { try coding.encode(value()) } }, coding: coding,
            problem: problem
        )
    }
}
