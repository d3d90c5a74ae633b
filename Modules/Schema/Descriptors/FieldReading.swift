package import CofferStorage

/// Reads the value of a field for code that does not know the type of the value.
package struct FieldReading {
    /// Reads through the field's accessors.
    package let ofObject: (CoreStoreObject, FieldWord) -> Any
    /// Reads what a slot holds; nil when that is no value of the field.
    ///
    /// Nil for fields whose value takes more than the slot.
    package let ofRow: ((Row, Int) -> Any?)?

    init<V>(ofObject: @escaping (CoreStoreObject, FieldWord) -> V, ofRow: ((Row, Int) -> V?)? = nil) {
        self.ofObject = ofObject
        self.ofRow = ofRow.map { read in { row, slot in read(row, slot).map { $0 as Any } } }
    }
}
