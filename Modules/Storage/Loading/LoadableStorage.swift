public import Foundation

/// A store that can be made with everything another store holds.
///
/// It is how a store moves to another backend. The core asks through ``StorageInterface/load(_:as:fill:verify:)``, which
/// tells of a store without this power (`loading/unsupported`).
public protocol LoadableStorage: StorageInterface {
    /// Makes the store, which must not be there yet, with the rows and links that `fill` hands over, and leaves it
    /// closed.
    ///
    /// Rows must be kept as they are handed over, with their keys, entities, versions and values (`loading/rows`,
    /// `loading/values`, `loading/random`), links with their places on both sides (`loading/links`), and keys must go on
    /// where the loader says, but never at one that a row has (`loading/keys`). The store must have the id and the model
    /// it is given (`loading/metadata`), and unique constraints that hold: rows that break one are a `uniqueViolation`
    /// (`loading/unique-violation`).
    ///
    /// Implementations must throw `busy` when the store is open, and `unavailable` when there is something in its place,
    /// and leave it alone (`loading/occupied`). They must leave nothing behind when a closure throws, whatever was handed
    /// over until then (`loading/atomic`, `loading/refused`).
    ///
    /// Before anybody else can see the store, `verify` must be given a reader of all that was handed over
    /// (`loading/verify`). If the process ends at any instruction, the store must be there whole or not at all (not
    /// checked: the suite cannot kill its own process). What is in memory must not grow with the number of rows, unless
    /// the store keeps them there (not checked).
    ///
    /// - Parameters:
    ///   - layout: the model.
    ///   - store: the id of the store.
    ///   - fill: hands rows and links over.
    ///   - verify: reads them back; what it throws undoes everything.
    func load(
        _ layout: ModelLayout, as store: UUID, filling fill: (any StorageLoader) throws(StorageError) -> Void,
        verifying verify: (any StorageReader) throws(StorageError) -> Void
    ) throws(StorageError)
}

/// Takes the rows and links of a store that is being made.
///
/// Used by one thread at a time, during the closure that it is given to.
public protocol StorageLoader: AnyObject {
    /// Adds rows as they are.
    ///
    /// No key comes twice in a tree. Rows in the order of their keys are taken fastest.
    func add(_ rows: [Row]) throws(StorageError)

    /// Adds links, each once, after the rows that they link.
    ///
    /// Where a relationship is its own inverse, a link is given one way only, as ``LinkReader`` tells it.
    func add(_ links: [ChangeSet.Link]) throws(StorageError)

    /// Says which key of a tree is the next to be reserved; 1 unless told.
    func continueKeys(at next: Int64, root: Int) throws(StorageError)
}

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
