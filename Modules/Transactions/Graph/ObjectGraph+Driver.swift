package import CofferSchema
package import CofferStorage

/// Serves the properties of objects: reads, changes, relates and refreshes them, and reports reads on a wrong queue.
extension ObjectGraph: ObjectContextDriver {
    package func willRead(_ object: CoreStoreObject) {
        Diagnostics.assert(
            state.isAccessAllowed(),
            "'\(type(of: object))' was read outside the queue of its data stack or transaction. Fetch it where you use it."
        )
    }

    package func willChange(_ object: CoreStoreObject) -> Bool {
        guard state.gate.mayChange(object) else { return false }
        state.editor.beginChange(object)
        return true
    }

    package func didChange(_ object: CoreStoreObject, slot: Int) { state.gate.didChange(object) }

    package func didFail(_ object: CoreStoreObject, slot: Int, _ error: StorageError?) {
        state.gate.didFail(object, slot: slot, error)
    }

    package func refresh(_ object: CoreStoreObject, mergingChanges: Bool) {
        state.failures.keepingErrors("\(object.id) could not be refreshed.") { () throws(StorageError) in
            try state.refresher.reload([object.canonical], mergingChanges: mergingChanges)
        }
    }

    package func relate(_ object: CoreStoreObject, toOne relationship: Int, _ destination: CoreStoreObject?) {
        RelationshipAssignment(state: state).relate(object, toOne: relationship, destination)
    }

    package func relate(_ object: CoreStoreObject, toMany relationship: Int, _ destinations: [CoreStoreObject]) {
        RelationshipAssignment(state: state).relate(object, toMany: relationship, destinations)
    }

    package func related(toOne relationship: Int, of object: CoreStoreObject) -> CoreStoreObject? {
        reporting(object, relationship) { () throws(StorageError) in
            try state.loader.toOne(layout.relationships[relationship], of: object.canonical)
        }
    }

    package func forEachRelated(
        toMany relationship: Int, of object: CoreStoreObject, reserve: (Int) -> Void,
        _ body: (Unmanaged<CoreStoreObject>) -> Void
    ) {
        reporting(object, relationship) { () throws(StorageError) in
            try state.loader.forEachRelated(
                layout.relationships[relationship], of: object.canonical, reserve: reserve, body)
        }
    }

    /// Reads a relationship; after an error, the relationship is empty.
    ///
    /// A property cannot throw, so the end of the transaction or read throws the error.
    @discardableResult
    private func reporting<Output>(
        _ object: CoreStoreObject, _ relationship: Int, _ body: () throws(StorageError) -> Output?
    ) -> Output? {
        state.failures.keepingErrors(
            "'\(layout.relationships[relationship].name)' of \(object.id) could not be read. It appears empty.", body)
    }
}
