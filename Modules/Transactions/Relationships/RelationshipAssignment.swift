import CofferSchema
import CofferStorage

/// Checks an assignment to a relationship (same transaction, same store, not deleted), and notifies its observers.
struct RelationshipAssignment {
    let state: ContextState

    func relate(_ object: CoreStoreObject, toOne relationship: Int, _ destination: CoreStoreObject?) {
        let object = object.canonical
        guard state.gate.mayChange(object), destination.map({ belongs($0, with: object, relationship) }) ?? true else {
            return
        }
        let destination = destination.flatMap { isThere($0, for: object) ? $0.canonical : nil }
        watching(object, relationship, { destination.map { [$0] } ?? [] }) {
            attempt(object, relationship) { () throws(StorageError) in
                try state.relationshipEditor.setToOne(object, state.layout.relationships[relationship], destination)
            }
        }
    }

    func relate(_ object: CoreStoreObject, toMany relationship: Int, _ destinations: [CoreStoreObject]) {
        let object = object.canonical
        guard state.gate.mayChange(object), destinations.allSatisfy({ belongs($0, with: object, relationship) }) else {
            return
        }
        let destinations = destinations.filter { isThere($0, for: object) }.map(\.canonical)
        watching(object, relationship, { destinations }) {
            attempt(object, relationship) { () throws(StorageError) in
                try state.relationshipEditor.setToMany(object, state.layout.relationships[relationship], destinations)
            }
        }
    }

    /// - Parameter body: returns whether the relationship changed.
    private func attempt(
        _ object: CoreStoreObject, _ relationship: Int, _ body: () throws(StorageError) -> Bool
    ) {
        do throws(StorageError) {
            let isChanged = try body()
            state.gate.didFail(object, slot: ~relationship, nil)
            if isChanged { state.gate.didChange(object) }
        } catch {
            state.gate.didFail(object, slot: ~relationship, error)
            Diagnostics.log(
                CoreStoreError(storage: error),
                "'\(state.layout.relationships[relationship].name)' of \(object.id) could not be set. "
                    + "The transaction cannot be saved."
            )
            state.gate.didChange(object)
        }
    }

    /// Returns whether an object may be related to another; otherwise records a failure.
    ///
    /// Then, the transaction cannot be saved until the relationship is set again.
    private func belongs(_ destination: CoreStoreObject, with object: CoreStoreObject, _ relationship: Int) -> Bool {
        guard let problem = problem(destination, with: object) else { return true }
        Diagnostics.assert(false, problem)
        state.gate.didFail(object, slot: ~relationship, StorageError(.invalidValue, problem))
        state.gate.didChange(object)
        return false
    }

    private func problem(_ destination: CoreStoreObject, with object: CoreStoreObject) -> String? {
        guard destination.context === state.objectContext else {
            return "\(destination.id) belongs to another transaction or data stack than \(object.id). "
                + "Get it by 'transaction.edit(_:)'."
        }
        // An object that could not be created is in no store.
        guard destination.id.key >= 0, object.id.key >= 0 else { return nil }
        guard state.identities.store(of: destination) === state.identities.store(of: object) else {
            return "\(destination.id) and \(object.id) are in different stores and cannot be related."
        }
        return nil
    }

    private func isThere(_ destination: CoreStoreObject, for object: CoreStoreObject) -> Bool {
        guard destination.isDeleted else { return true }
        Diagnostics.log(.warning, "\(object.id) was related to \(destination.id), which was deleted and is left out.")
        return false
    }

    /// Runs a closure that relates objects, and notifies the observers of all affected objects before and after.
    func watching(
        _ object: CoreStoreObject, _ relationship: Int, _ destinations: () -> [CoreStoreObject], _ body: () -> Void
    ) {
        guard state.hasWatchers else { return body() }
        let sides = state.failures.loggingErrors("fetch") { () throws(StorageError) in
            try self.sides(affectedBy: object, state.layout.relationships[relationship], destinations())
        }
        watching((sides ?? [])[...], body)
    }

    private func watching(_ sides: ArraySlice<Side>, _ body: () -> Void) {
        guard let side = sides.first else { return body() }
        side.object.watching(.relationship(side.relationship)) { watching(sides.dropFirst(), body) }
    }

    private typealias Side = (object: CoreStoreObject, relationship: Int)

    /// Returns the observed relationships whose members change when an object is related to others.
    private func sides(
        affectedBy object: CoreStoreObject, _ relationship: RelationshipLayout, _ destinations: [CoreStoreObject]
    ) throws(StorageError) -> [Side] {
        let inverse = state.layout.relationships[relationship.inverse]
        let former = Set(try state.loader.relatedObjects(relationship, of: object))
        var sides: [Side] = [(object, relationship.index)]
        for member in former.symmetricDifference(destinations) {
            sides.append((member, inverse.index))
            // A member with one owner leaves its former owner.
            guard !inverse.isToMany, !former.contains(member) else { continue }
            for owner in try state.loader.relatedObjects(inverse, of: member) {
                sides.append((owner, relationship.index))
            }
        }
        return sides.filter { $0.object.isWatched(.relationship($0.relationship)) }
    }
}
