package import CofferStorage
import Foundation

/// Attributes by their names in the store.
extension CoreStoreObject {
    /// The value of an attribute, past the accessors of its field; nil if there is no such attribute.
    ///
    /// Where the row has no value of the type, this is the default of the field.
    package final func attributeValue<V: ImportableAttributeType>(_ name: KeyPathString, _ type: V.Type) -> V? {
        #if DEBUG
            checkRead()
        #endif
        return attributeWord(name).map { (readStored($0) as ImportableValue<V>).value }
    }

    /// Sets the value of an attribute, past the accessors of its field.
    ///
    /// Observers of the field are told.
    ///
    /// - Returns: false if there is no such attribute.
    package final func setAttributeValue<V: ImportableAttributeType>(_ value: V, _ name: KeyPathString) -> Bool {
        guard let word = attributeWord(name) else { return false }
        write(ImportableValue(value: isUUID(word) ? lowercasedUUID(value) : value), word)
        return true
    }

    /// Sets an attribute to a value of the kind that its column has, past the accessors of its field.
    ///
    /// Observers of the field are told.
    ///
    /// - Returns: false if there is no such attribute, or its column has values of another kind.
    package final func setAttribute(_ value: Value, _ name: KeyPathString) -> Bool {
        guard let word = attributeWord(name) else { return false }
        switch (value, context.binding?.entities[row.entity].layout.columns[word.slot].kind) {
        case (.null, _): write(Int64?.none, word)
        case (.boolean(let flag), .boolean): write(flag, word)
        case (.integer(let number), .integer): write(number, word)
        case (.double(let number), .double): write(number, word)
        case (.decimal(let number), .decimal): write(number, word)
        case (.text(let text), .text): return setAttributeValue(text, name)
        case (.blob(let data), .blob): write(data, word)
        case (.date(let seconds), .date): write(Date(timeIntervalSinceReferenceDate: seconds), word)
        default: return false
        }
        return true
    }

    private final func isUUID(_ word: FieldWord) -> Bool {
        guard case .stored(let field)? = descriptor(ofSlot: word.slot)?.kind else { return false }
        return field.isUUID
    }

    /// The form in which the text of a UUID is stored.
    private final func lowercasedUUID<V: ImportableAttributeType>(_ value: V) -> V {
        ImportableValue<V>._fromStoredValue(value._queryValue.canonicalUUID)?.value ?? value
    }

    private final func attributeWord(_ name: KeyPathString) -> FieldWord? {
        guard let entity = context.binding?.entities[row.entity].layout, let slot = entity.slot(named: name),
            case .attribute = entity.columns[slot].role
        else { return nil }
        return FieldWord(slot: slot, hasAccessors: false)
    }
}
