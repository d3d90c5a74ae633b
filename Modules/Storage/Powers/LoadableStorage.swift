public import Foundation

/// A store that can be made with everything another store holds.
///
/// It is how a store moves to another backend. The core asks through `StorageInterface.load(_:as:fill:verify:)`, which
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
