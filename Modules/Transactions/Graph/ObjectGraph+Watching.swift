package import CofferSchema
import CofferStorage

/// Telling those who watch a relationship that it is set, on whichever side.
extension ObjectGraph {
    /// Tells a watcher of one of the graph's objects whenever its property is set.
    package func add(_ watcher: PropertyWatcher, to object: CoreStoreObject) {
        hasWatchers = true
        object.add(watcher)
    }

    /// Relates an object to others, and tells the watchers of all of them before and after.
    func watching(
        _ object: CoreStoreObject, _ relationship: Int, _ destinations: () -> [CoreStoreObject], _ body: () -> Void
    ) {
        guard hasWatchers else { return body() }
        let sides = loggingErrors("fetch") { () throws(StorageError) in
            try self.sides(affectedBy: object, layout.relationships[relationship], destinations())
        }
        watching((sides ?? [])[...], body)
    }

    private typealias Side = (object: CoreStoreObject, relationship: Int)

    private func watching(_ sides: ArraySlice<Side>, _ body: () -> Void) {
        guard let side = sides.first else { return body() }
        side.object.watching(.relationship(side.relationship)) { watching(sides.dropFirst(), body) }
    }

    /// The watched relationships that lead elsewhere when an object is related to others.
    private func sides(
        affectedBy object: CoreStoreObject, _ relationship: RelationshipLayout, _ destinations: [CoreStoreObject]
    ) throws(StorageError) -> [Side] {
        let inverse = layout.relationships[relationship.inverse]
        let former = Set(try relatedObjects(relationship, of: object))
        var sides: [Side] = [(object, relationship.index)]
        for member in former.symmetricDifference(destinations) {
            sides.append((member, inverse.index))
            // Who leads to only one object leaves the one before it.
            guard !inverse.isToMany, !former.contains(member) else { continue }
            for owner in try relatedObjects(inverse, of: member) { sides.append((owner, relationship.index)) }
        }
        return sides.filter { $0.object.isWatched(.relationship($0.relationship)) }
    }
}
