import CofferSchema
public import CofferStorage

/// Defines the old object of a migration step, whose attributes a transformer reads.
extension CustomSchemaMappingProvider {
    /// An object of the previous version, during its transformation.
    ///
    /// Values are read by name, as Foundation objects: `as? String`, `as? Int`, `as? Bool`, `as? Date`, `as? Data`. The
    /// value of a coded field is the bytes that its coder created.
    public final class UnsafeSourceObject {
        private let row: MigratingRow
        private let attributes: [AttributeDescription]

        init(_ row: MigratingRow, _ attributes: [AttributeDescription]) {
            self.row = row
            self.attributes = attributes
        }

        /// The value of an attribute.
        public subscript(attribute: KeyPathString) -> Any? {
            let value = row.value(attribute)
            Diagnostics.assert(
                value != nil, "'\(row.source.name)' has no attribute '\(attribute)'. Correct the transformer."
            )
            return value?.native
        }

        /// The value of an attribute.
        public subscript(attribute: AttributeDescription) -> Any? { self[attribute.name] }

        /// Calls the closure once for each attribute, inherited attributes first.
        public func enumerateAttributes(_ closure: (_ attribute: AttributeDescription) -> Void) {
            for attribute in attributes { closure(attribute) }
        }
    }
}
