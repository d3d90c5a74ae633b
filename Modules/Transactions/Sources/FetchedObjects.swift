public import CofferSchema
public import CofferStorage
public import CofferStorageTools

/// The objects of a lazy fetch, as a collection that reads the objects of a batch when one of them is first used.
///
/// ```swift
/// let people = try stack.fetchLazily(From<Person>().orderBy(.ascending(\.$name)))
/// print(people.count, people[500_000]?.name ?? "(deleted)")
/// ```
///
/// The fetch reads only the keys of the objects: 8 bytes for each object with one store, 12 bytes with several
/// stores. A batch has 512 objects, or the number that the tweak `fetchBatchSize` sets, and is read by one request.
/// The last four batches that were used stay in memory. Objects of other batches are released, unless the program
/// keeps them.
///
/// The collection belongs to its source, as the objects do. Copies share their batches. Commits and pending changes
/// do not change the number of objects and their order. The objects themselves show these changes, as all fetched
/// objects do.
///
/// An element is nil if the object was deleted after the fetch, or if its batch could not be read. If a batch could
/// not be read, the error is logged, and the end of the transaction or read throws it. The next use of the batch
/// reads again.
///
/// If an index does not exist, the program stops, as with an array.
public struct FetchedObjects<O: DynamicObject>: RandomAccessCollection {
    private let batches: FetchedBatches

    init(_ batches: FetchedBatches) { self.batches = batches }

    /// The index of the first object.
    public var startIndex: Int { 0 }
    /// The index after the last object.
    public var endIndex: Int { batches.keys.count }

    /// The object at an index; nil if the object was deleted, or if it could not be read.
    ///
    /// The first use of an object reads its batch.
    public subscript(index: Int) -> O? { batches.object(at: existing(index), O.self) }

    /// The first object; nil if there are no objects, if it was deleted, or if it could not be read.
    public var first: O? { isEmpty ? nil : self[0] }

    /// The last object; nil if there are no objects, if it was deleted, or if it could not be read.
    public var last: O? { isEmpty ? nil : self[endIndex - 1] }

    /// Returns the id of the object at an index, without reading the object.
    public func objectID(at index: Int) -> ObjectID { batches.keys[existing(index)] }

    private func existing(_ index: Int) -> Int {
        guard index >= 0, index < endIndex else {
            Diagnostics.abort("There is no object at index \(index): the fetch found \(endIndex) objects.")
        }
        return index
    }
}

extension FetchedObjects: CustomStringConvertible, CustomDebugStringConvertible, CoreStoreDebugStringConvertible {
    /// The class and the number of the objects.
    public var description: String { "FetchedObjects<\(O.self)>(\(count) objects)" }

    /// The number of objects, the size of a batch, and the number of batches in memory.
    public var coreStoreDumpString: String {
        DumpTree.text([
            ("numberOfObjects", count),
            ("batchSize", batches.size),
            ("numberOfBatchesInMemory", batches.loadedCount),
        ])
    }
}
