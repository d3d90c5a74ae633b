public import CofferStorage
public import Foundation

/// Creates a new store with all rows and links from a closure, or no store; refuses rows that do not fit the model.
extension StorageInterface {
    /// Creates a new store with all the rows and links that a closure provides, or no store.
    ///
    /// The store is closed before and after the call.
    ///
    /// - Parameters:
    ///   - layout: the model.
    ///   - store: the id of the store.
    ///   - fill: provides rows and links.
    ///   - verify: reads the rows and links back, before other programs can see them; if it throws, no store is
    ///     created.
    /// - Throws: `unsupported` if the store cannot be loaded, `unavailable` if something exists in its place,
    ///   `uniqueViolation`, and the errors of the closures.
    public func load(
        _ layout: ModelLayout, as store: UUID, fill: (any StorageLoader) throws(StorageError) -> Void,
        verify: (any StorageReader) throws(StorageError) -> Void = { _ in }
    ) throws(StorageError) {
        do throws(StorageError) {
            guard let loadable = self as? any LoadableStorage else {
                throw StorageError(
                    .unsupported,
                    "\(storeDescription) cannot be loaded. Use a store that conforms to LoadableStorage."
                )
            }
            try loadable.load(layout, as: store, filling: fill, verifying: verify)
        } catch {
            throw error.adding(operation: "load", store: storeDescription)
        }
    }
}

extension ModelLayout {
    /// Checks that the entity of a loaded row is not abstract, and that the row has the columns of this entity.
    ///
    /// - Throws: `invalidRequest`.
    public func checkLoaded(_ row: Row) throws(StorageError) {
        guard entities.indices.contains(row.entity), !entities[row.entity].isAbstract,
            entities[row.entity].kinds.count == row.slotCount, row.key > 0
        else { throw .invalidRequest("A loaded row does not fit version '\(model.version)' of the model.") }
    }
}
