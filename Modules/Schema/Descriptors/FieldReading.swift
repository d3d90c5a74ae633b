package import CofferStorage

/// Reads the value of a field for code that does not know the type of the value.
package struct FieldReading {
    /// Reads through the field's accessors.
    package let ofObject: (any DynamicObject, FieldWord) -> Any
    /// Reads the value of a slot; the result is nil if the slot contains no value of the field.
    ///
    /// The closure is nil for fields whose value needs more than the slot.
    package let ofRow: ((Row, Int) -> Any?)?

    /// - Parameter ofObject: reads the field of an object of the class that declares the field.
    init<Object: DynamicObject, V>(
        ofObject: @escaping (Object, FieldWord) -> V, ofRow: ((Row, Int) -> V?)? = nil
    ) {
        self.ofObject = { ofObject(unsafeDowncast($0, to: Object.self), $1) }
        self.ofRow = ofRow.map { read in { row, slot in read(row, slot).map { $0 as Any } } }
    }
}
