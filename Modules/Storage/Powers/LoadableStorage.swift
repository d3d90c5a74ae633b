public import Foundation

/// A store that can be created with the whole content of another store.
///
/// A store moves to another backend in this way. The core calls `StorageInterface.load(_:as:fill:verify:)`, which
/// throws an error for a store that does not conform to this protocol (`loading/unsupported`).
public protocol LoadableStorage: StorageInterface {
    /// Creates the store with the rows and links of the closure `fill`, and leaves it closed.
    ///
    /// No store exists at this place before the call.
    ///
    /// Implementations must store the rows unchanged, with their keys, entities, versions and values (`loading/rows`,
    /// `loading/values`, `loading/random`). They must store links with their places on both sides (`loading/links`).
    /// The next reserved keys must begin at the key of `StorageLoader.continueKeys(at:root:)`, but must never be the
    /// key of a row (`loading/keys`). The store must have the given id and model (`loading/metadata`). It must enforce
    /// the unique constraints: if rows break a constraint, the call throws `uniqueViolation`
    /// (`loading/unique-violation`).
    ///
    /// Implementations must throw `busy` if the store is open. If there is already something at the place, they must
    /// throw `unavailable` and change nothing (`loading/occupied`). If a closure throws an error, no part of the new
    /// store may remain (`loading/atomic`, `loading/refused`).
    ///
    /// Before other readers can see the store, `verify` must receive a reader of the whole content (`loading/verify`).
    /// If the process ends at any instruction, the store must exist completely or not at all (not checked: the suite
    /// cannot kill its own process). The required memory must not grow with the number of rows, unless the store itself
    /// keeps the rows in memory (not checked).
    ///
    /// - Parameters:
    ///   - layout: the model.
    ///   - store: the id of the store.
    ///   - fill: passes the rows and links to the store.
    ///   - verify: reads the content back. If it throws an error, no store is created.
    func load(
        _ layout: ModelLayout, as store: UUID, filling fill: (any StorageLoader) throws(StorageError) -> Void,
        verifying verify: (any StorageReader) throws(StorageError) -> Void
    ) throws(StorageError)
}
