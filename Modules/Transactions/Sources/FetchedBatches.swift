import CofferSchema
import CofferStorage

/// The batches of a lazy fetch: reads a batch when the program first needs one of its objects, and keeps four batches.
final class FetchedBatches {
    /// The number of batches in memory; the batch that was not used for the longest time is released first.
    static let limit = 4

    private struct Batch {
        let number: Int
        /// The objects, including deleted ones, which `undo()` or `rollback()` may restore; nil if there is no row.
        let objects: [CoreStoreObject?]
    }

    let keys: FetchedKeys
    let size: Int
    private weak var graph: ObjectGraph?
    /// The batches in memory; the last one was used last.
    private var batches: [Batch] = []

    init(_ keys: FetchedKeys, size: Int, _ graph: ObjectGraph) {
        self.keys = keys
        self.size = size
        self.graph = graph
    }

    /// The number of batches in memory.
    var loadedCount: Int { batches.count }

    /// Returns the object at an index, which must exist; nil if the object was deleted or could not be read.
    func object<O: DynamicObject>(at index: Int, _ type: O.Type) -> O? {
        guard let graph else {
            Diagnostics.reportUnread(
                "'\(keys[index])' was read from a lazy fetch after the end of its transaction, read or data stack. "
                    + "Fetch the objects where you use them.")
            return nil
        }
        return graph.calls.lookingUp(O.self) { object(at: index, in: graph) as? O } ?? nil
    }

    private func object(at index: Int, in graph: ObjectGraph) -> CoreStoreObject? {
        let (number, place) = index.quotientAndRemainder(dividingBy: size)
        guard use(number, graph) else { return nil }
        if let object = batches[batches.count - 1].objects[place], !object.isDeleted { return object }
        // Another fetch may have found an object that was restored after this batch was read.
        return graph.knownObject(graph.survivor(of: keys[index]))
    }

    /// Makes a batch the last batch in memory, and reads it if necessary; returns false if the read failed.
    private func use(_ number: Int, _ graph: ObjectGraph) -> Bool {
        if batches.last?.number == number { return true }
        if let place = batches.firstIndex(where: { $0.number == number }) {
            batches.append(batches.remove(at: place))
            return true
        }
        let start = number * size
        let places = start..<start + min(size, keys.count - start)
        do throws(StorageError) {
            let batch = Batch(number: number, objects: try read(places, graph))
            if batches.count == Self.limit { batches.removeFirst() }
            batches.append(batch)
            return true
        } catch {
            graph.state.failures.keep(
                error, "The objects at \(places) of a lazy fetch could not be read. Their elements are nil.")
            return false
        }
    }

    private func read(_ places: Range<Int>, _ graph: ObjectGraph) throws(StorageError) -> [CoreStoreObject?] {
        let ids = Array(keys[places])
        let found = try graph.objects(ids)
        return withExtendedLifetime(found) {
            ids.map { id in
                graph.state.identities.object(id) ?? graph.knownObject(graph.survivor(of: id))
            }
        }
    }
}
