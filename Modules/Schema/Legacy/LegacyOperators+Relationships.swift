// The operators of relationships that were declared before `Field` existed.

/// Sets and compares deprecated relationships with the operators `.=` and `.==`.
extension LegacyRelationship {
    /// Sets the related objects.
    public static func .= (_ relationship: LegacyRelationship, _ newValue: V) { relationship.value = newValue }

    /// Sets the related objects to the related objects of another relationship.
    public static func .= <O2>(_ relationship: LegacyRelationship, _ relationship2: LegacyRelationship<O2, V>) {
        relationship.value = relationship2.value
    }
}

extension LegacyRelationship where V: Equatable {
    /// Whether the relationship has exactly these related objects.
    public static func .== (_ relationship: LegacyRelationship, _ value: V) -> Bool { relationship.value == value }

    /// Whether the relationship has exactly these related objects.
    public static func .== (_ value: V, _ relationship: LegacyRelationship) -> Bool { value == relationship.value }

    /// Whether two relationships have the same related objects.
    public static func .== <O2>(
        _ relationship: LegacyRelationship, _ relationship2: LegacyRelationship<O2, V>
    ) -> Bool {
        relationship.value == relationship2.value
    }
}

extension RelationshipContainer.ToManyOrdered {
    /// Sets the related objects.
    public static func .= <S: Sequence<D>>(_ relationship: RelationshipContainer<O>.ToManyOrdered<D>, _ newValue: S) {
        relationship.value = Array(newValue)
    }

    /// Whether the relationship has exactly these related objects.
    public static func .== <C: Collection<D>>(
        _ relationship: RelationshipContainer<O>.ToManyOrdered<D>, _ collection: C
    ) -> Bool {
        relationship.value.elementsEqual(collection)
    }

    /// Whether the relationship has exactly these related objects.
    public static func .== <C: Collection<D>>(
        _ collection: C, _ relationship: RelationshipContainer<O>.ToManyOrdered<D>
    ) -> Bool {
        relationship.value.elementsEqual(collection)
    }

    /// Whether two relationships have the same related objects.
    public static func .== <O2>(
        _ relationship: RelationshipContainer<O>.ToManyOrdered<D>,
        _ relationship2: RelationshipContainer<O2>.ToManyOrdered<D>
    ) -> Bool {
        relationship.value == relationship2.value
    }
}

extension RelationshipContainer.ToManyUnordered {
    /// Sets the related objects; the new value may be an ordered relationship.
    public static func .= <S: Sequence<D>>(_ relationship: RelationshipContainer<O>.ToManyUnordered<D>, _ newValue: S) {
        relationship.value = Set(newValue)
    }
}
