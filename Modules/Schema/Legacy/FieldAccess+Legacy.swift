/// The closures that read and write deprecated properties with their own columns, and deprecated relationships.
extension FieldAccess {
    /// Returns the access to a value with its own column.
    static func stored<S>(_ form: ImportableForm<V, S>) -> FieldAccess {
        FieldAccess(
            read: { form.value($0.readSpecial($1)) },
            write: { $0.writeSpecial(form.stored($2), $1) },
            readPrimitive: { $0.primitiveValue($1).map(form.value) },
            writePrimitive: { $0.setPrimitiveValue($2.map(form.stored), $1) }
        )
    }

    /// Returns the access to related objects.
    static func related() -> FieldAccess where V: FieldRelationshipType {
        FieldAccess(
            read: { $1.isBound ? V._related($1.slot, of: $0) : $0.unboundRelationship() },
            write: { object, word, newValue in
                guard word.isBound else { return object.reportUnbound() }
                newValue._relate(word.slot, of: object)
            },
            readPrimitive: { $1.isBound ? V._related($1.slot, of: $0) : nil },
            writePrimitive: { object, word, newValue in (newValue ?? V._empty)._relate(word.slot, of: object) }
        )
    }
}
