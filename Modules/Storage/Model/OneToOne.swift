/// One side of a one-to-one relationship, with the slots of the references on both sides.
package struct OneToOne {
    /// The relationship of this side.
    package let relationship: RelationshipLayout
    /// The slot of the reference in rows of ``RelationshipLayout/owner``.
    package let slot: Int
    /// The relationship of the other side.
    package let inverse: RelationshipLayout
    /// The slot of the inverse reference.
    package let inverseSlot: Int
}

extension ModelLayout {
    /// The one-to-one relationships of the entities of a tree.
    package func oneToOneRelationships(of root: Int) -> [OneToOne] {
        relationships.compactMap { relationship in
            guard entities[relationship.owner].root == root, case .reference(let slot, _) = relationship.storage,
                case let inverse = relationships[relationship.inverse],
                case .reference(let inverseSlot, _) = inverse.storage
            else { return nil }
            return OneToOne(relationship: relationship, slot: slot, inverse: inverse, inverseSlot: inverseSlot)
        }
    }
}
