package import CofferStorage
import CofferStorageTools
import Foundation

/// Reads and writes attributes of an object by name, and refuses a value of another type.
extension CoreStoreObject {
    /// Returns the value of an attribute without the accessors of its field; nil if the attribute does not exist.
    ///
    /// If the row has no value of the type, the result is the default of the field.
    package final func attributeValue<V: ImportableAttributeType>(_ name: KeyPathString, _ type: V.Type) -> V? {
        #if DEBUG
            checkRead()
        #endif
        return attribute(name).map { (readStored($0.word) as ImportableValue<V>).value }
    }

    /// Sets the value of an attribute without the accessors of its field.
    ///
    /// The observers of the field are called.
    ///
    /// - Returns: false if there is no such attribute.
    package final func setAttributeValue<V: ImportableAttributeType>(_ value: V, _ name: KeyPathString) -> Bool {
        guard let attribute = attribute(name) else { return false }
        let stored = value._queryValue.key(attribute.kind) ?? value._queryValue
        if !attribute.canRepresent(stored) || !set(stored, attribute) {
            let text =
                "'\(type(of: self)).\(name)' cannot have the value '\(value)'. Use a value of the attribute's type."
            context.driver.didFail(self, slot: attribute.word.slot, StorageError(.invalidValue, text))
        }
        return true
    }

    /// Sets an attribute to a value of the kind of its column, without the accessors of its field.
    ///
    /// The observers of the field are called.
    ///
    /// - Returns: false if the attribute does not exist, or if its column has values of another kind.
    package final func setAttribute(_ value: Value, _ name: KeyPathString) -> Bool {
        guard let attribute = attribute(name) else { return false }
        return set(value, attribute)
    }

    private final func set(_ value: Value, _ attribute: EntityBinding.Attribute) -> Bool {
        let word = attribute.word
        switch (attribute.isUUID ? value.canonicalUUID : value, attribute.kind) {
        case (.null, _): write(Int64?.none, word)
        case (.boolean(let flag), .boolean): write(flag, word)
        case (.integer(let number), .integer): write(number, word)
        case (.double(let number), .double): write(number, word)
        case (.decimal(let number), .decimal): write(number, word)
        case (.text(let text), .text): write(text, word)
        case (.blob(let data), .blob): write(data, word)
        case (.date(let seconds), .date): write(Date(timeIntervalSinceReferenceDate: seconds), word)
        default: return false
        }
        return true
    }

    private final func attribute(_ name: KeyPathString) -> EntityBinding.Attribute? {
        context.binding?.entities[row.entity].attributes[name]
    }
}
