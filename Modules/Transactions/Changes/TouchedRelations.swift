package import CofferStorage

/// The relationships whose related objects changed, for observers; keeps at most 16,384 owners until an observer runs.
///
/// The row of an owner need not have changed.
package struct TouchedRelations: Sendable {
    /// The maximum number of owners in changes that wait for an observer.
    package static let waitingLimit = 16_384

    /// The relationships by owner.
    package private(set) var byOwner: [ObjectID: Set<Int>] = [:]
    /// The relationships that changed for more owners than the limit.
    ///
    /// Each of these relationships may have changed for any owner. The set is always empty for a single commit.
    package private(set) var ofAny: Set<Int> = []
    private let limit: Int

    /// - Parameter limit: the maximum number of owners.
    package init(limit: Int = .max) { self.limit = limit }

    /// Whether no relationship changed.
    package var isEmpty: Bool { byOwner.isEmpty && ofAny.isEmpty }

    /// Returns the relationships of an object that changed or may have changed.
    package func relationships(of id: ObjectID, _ entity: EntityLayout) -> Set<Int> {
        let known = byOwner[id] ?? []
        return ofAny.isEmpty ? known : known.union(entity.relationships.filter(ofAny.contains))
    }

    package mutating func insert(_ relationship: Int, of owner: ObjectID) {
        guard !ofAny.contains(relationship) else { return }
        byOwner[owner, default: []].insert(relationship)
        guard byOwner.count > limit else { return }
        for relationships in byOwner.values { ofAny.formUnion(relationships) }
        byOwner = [:]
    }

    package mutating func merge(_ other: TouchedRelations) {
        merge(other.byOwner)
        ofAny.formUnion(other.ofAny)
    }

    mutating func merge(_ relationships: [ObjectID: Set<Int>]) {
        for (owner, relationships) in relationships {
            for relationship in relationships { insert(relationship, of: owner) }
        }
    }

    /// Replaces the ids of merged objects with the ids of the surviving objects.
    func following(_ survivor: (ObjectID) -> ObjectID) -> TouchedRelations {
        var moved = TouchedRelations(limit: limit)
        moved.merge(Dictionary(byOwner.map { (survivor($0.key), $0.value) }, uniquingKeysWith: { $0.union($1) }))
        moved.ofAny = ofAny
        return moved
    }

    // MARK: Commits

    /// Adds the changes of a commit in one store.
    package mutating func add(_ part: CommitRecord.InStore) {
        for row in part.inserted { addEnds(nil, row, part.store) }
        for (old, new) in part.updated { addEnds(old, new, part.store) }
        for row in part.deleted { addEnds(row, nil, part.store) }
        for link in part.links { add(link, part.store) }
        for (relationship, owner) in part.reordered { insert(relationship, of: owner) }
    }

    /// Adds both ends of a link.
    mutating func add(_ link: ChangeSet.Link, _ store: OpenStore) {
        for (relationship, owner) in store.ends(of: link) { insert(relationship, of: owner) }
    }

    /// Adds the new and former targets of a row's changed references.
    private mutating func addEnds(_ old: Row?, _ new: Row?, _ store: OpenStore) {
        guard let row = new ?? old else { return }
        for reference in store.layout.entities[row.entity].references {
            if let old, let new, old.hasSame(reference, as: new) { continue }
            let entity = store.layout.relationships[reference.inverse].owner
            for end in [old, new] {
                guard let key = end?.integerIfAny(reference.slot) else { continue }
                insert(reference.inverse, of: store.id(key, of: entity))
            }
        }
    }
}
