import CofferSchema
import CofferStorage
import CofferTransactions

/// Reads fields of live objects by name.
extension ObjectGraph {
    /// Returns the value of a field of an object; nil if the class has no such field.
    func value(_ key: KeyPathString, of object: CoreStoreObject) -> Any? {
        let fields = binding.entities[object.row.entity].fields
        guard let (field, word) = fields.first(where: { $0.descriptor.keyPath == key }) else { return nil }
        return field.reading.ofObject(object, word)
    }
}
