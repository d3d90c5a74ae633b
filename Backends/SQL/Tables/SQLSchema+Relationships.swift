public import CofferStorage

/// Finds the references and link tables of an entity, for writers and migrations.
extension SQLSchema {
    /// Returns the link tables in which objects of an entity may be, and the side of the objects.
    public func linkSides(of entity: Int) -> [(table: Int, isFirst: Bool)] {
        layout.linkTables.flatMap { link in
            [(link.first, true), (link.second, false)].compactMap { relationship, isFirst in
                let owner = layout.relationships[relationship].owner
                return layout.entities[owner].root == layout.entities[entity].root ? (link.index, isFirst) : nil
            }
        }
    }

    /// Returns the link between the rows that exist after some merges.
    ///
    /// In a relationship that is its own inverse, the smaller key comes first.
    public func canonical(_ link: ChangeSet.Link, _ merges: [CommitResult.Merge]) -> ChangeSet.Link {
        var link = link
        if !merges.isEmpty {
            func root(_ relationship: Int) -> Int { layout.entities[layout.relationships[relationship].owner].root }
            let table = layout.linkTables[link.table]
            for merge in merges {
                if merge.from == link.first, merge.root == root(table.first) { link.first = merge.into }
                if merge.from == link.second, merge.root == root(table.second) { link.second = merge.into }
            }
        }
        if links[link.table].isSymmetric, link.first > link.second {
            swap(&link.first, &link.second)
            swap(&link.firstPosition, &link.secondPosition)
        }
        return link
    }

    /// A reference of the rows of an entity.
    public struct Reference: Sendable {
        /// The index of the entity.
        public let entity: Int
        /// The slot that contains the key of the other row.
        package let slot: Int
        /// The column of the entity's table that contains the key of the other row.
        public let column: Int
        /// The column of the row's place in the ordered inverse; nil if the inverse is not ordered.
        public let positionColumn: Int?
        /// The index of the inverse relationship.
        public let inverse: Int
    }

    /// Returns the references that rows may have to rows of a tree.
    public func references(to root: Int) -> [Reference] {
        layout.relationships.compactMap { relationship in
            let columns = tables[relationship.owner].columnsOfSlots[relationship.owner]
            guard case .reference(let slot, let positionSlot) = relationship.storage,
                layout.entities[relationship.destination].root == root, let column = columns?[slot]
            else { return nil }
            return Reference(
                entity: relationship.owner, slot: slot, column: column,
                positionColumn: positionSlot.flatMap { columns?[$0] },
                inverse: relationship.inverse)
        }
    }
}
