public import CofferStorage
public import Foundation

extension StorageInterface {
    /// Makes a store where there is none yet, with the rows and links that a closure hands over, all or none.
    ///
    /// The store is closed before and after.
    ///
    /// - Parameters:
    ///   - layout: the model.
    ///   - store: the id of the store.
    ///   - fill: hands rows and links over.
    ///   - verify: reads them back, before anybody else can see them; what it throws undoes everything.
    /// - Throws: `unsupported` when the store cannot be loaded, `unavailable` when there is something in its place,
    ///   `uniqueViolation`, and what the closures throw.
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
    /// Checks that a row that is loaded is of an entity that has rows, and has its columns.
    ///
    /// - Throws: `invalidRequest`.
    public func checkLoaded(_ row: Row) throws(StorageError) {
        guard entities.indices.contains(row.entity), !entities[row.entity].isAbstract,
            entities[row.entity].kinds.count == row.slotCount, row.key > 0
        else { throw .invalidRequest("A row that is loaded does not fit version '\(model.version)' of the model.") }
    }
}
