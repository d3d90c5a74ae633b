// The operators of relationships that were declared before `Field` was there.

/// Sets and compares deprecated relationships with the operators `.=` and `.==`.
extension RelationshipContainer.ToOne {
    /// Sets the related objects.
    public static func .= (_ relationship: RelationshipContainer<O>.ToOne<D>, _ newObject: D?) {
        relationship.value = newObject
    }

    /// Sets the related objects to the related objects of another relationship.
    public static func .= <O2>(
        _ relationship: RelationshipContainer<O>.ToOne<D>, _ relationship2: RelationshipContainer<O2>.ToOne<D>
    ) {
        relationship.value = relationship2.value
    }

    /// Whether the relationship has exactly these related objects.
    public static func .== (_ relationship: RelationshipContainer<O>.ToOne<D>, _ object: D?) -> Bool {
        relationship.value == object
    }

    /// Whether the relationship has exactly these related objects.
    public static func .== (_ object: D?, _ relationship: RelationshipContainer<O>.ToOne<D>) -> Bool {
        object == relationship.value
    }

    /// Whether two relationships have the same related objects.
    public static func .== <O2>(
        _ relationship: RelationshipContainer<O>.ToOne<D>, _ relationship2: RelationshipContainer<O2>.ToOne<D>
    ) -> Bool {
        relationship.value == relationship2.value
    }
}

extension RelationshipContainer.ToManyOrdered {
    /// Sets the related objects.
    public static func .= <S: Sequence>(_ relationship: RelationshipContainer<O>.ToManyOrdered<D>, _ newValue: S)
    where S.Iterator.Element == D {
        relationship.value = Array(newValue)
    }

    /// Sets the related objects to the related objects of another relationship.
    public static func .= <O2>(
        _ relationship: RelationshipContainer<O>.ToManyOrdered<D>,
        _ relationship2: RelationshipContainer<O2>.ToManyOrdered<D>
    ) {
        relationship.value = relationship2.value
    }

    /// Whether the relationship has exactly these related objects.
    public static func .== <C: Collection>(
        _ relationship: RelationshipContainer<O>.ToManyOrdered<D>, _ collection: C
    ) -> Bool where C.Iterator.Element == D {
        relationship.value.elementsEqual(collection)
    }

    /// Whether the relationship has exactly these related objects.
    public static func .== <C: Collection>(
        _ collection: C, _ relationship: RelationshipContainer<O>.ToManyOrdered<D>
    ) -> Bool where C.Iterator.Element == D {
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
    /// Sets the related objects.
    public static func .= <S: Sequence>(_ relationship: RelationshipContainer<O>.ToManyUnordered<D>, _ newValue: S)
    where S.Iterator.Element == D {
        relationship.value = Set(newValue)
    }

    /// Sets the related objects to the related objects of another relationship.
    public static func .= <O2>(
        _ relationship: RelationshipContainer<O>.ToManyUnordered<D>,
        _ relationship2: RelationshipContainer<O2>.ToManyUnordered<D>
    ) {
        relationship.value = relationship2.value
    }

    /// Sets the related objects to the related objects of another relationship.
    public static func .= <O2>(
        _ relationship: RelationshipContainer<O>.ToManyUnordered<D>,
        _ relationship2: RelationshipContainer<O2>.ToManyOrdered<D>
    ) {
        relationship.value = Set(relationship2.value)
    }

    /// Whether the relationship has exactly these related objects.
    public static func .== (_ relationship: RelationshipContainer<O>.ToManyUnordered<D>, _ set: Set<D>) -> Bool {
        relationship.value == set
    }

    /// Whether the relationship has exactly these related objects.
    public static func .== (_ set: Set<D>, _ relationship: RelationshipContainer<O>.ToManyUnordered<D>) -> Bool {
        set == relationship.value
    }

    /// Whether two relationships have the same related objects.
    public static func .== <O2>(
        _ relationship: RelationshipContainer<O>.ToManyUnordered<D>,
        _ relationship2: RelationshipContainer<O2>.ToManyUnordered<D>
    ) -> Bool {
        relationship.value == relationship2.value
    }
}
