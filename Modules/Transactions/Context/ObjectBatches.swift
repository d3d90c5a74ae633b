/// Records which objects were fetched together, so that a relationship is loaded for all of them at once.
///
/// Each object stores the number of its batch. The first access to a relationship of one object loads the
/// relationship for the whole batch.
struct ObjectBatches {
    private var keys: [UInt32: [Int64]] = [:]
    private var last: UInt32 = 0
    private var sweepAt = 64
    /// How many keys were added since the last search for unused batches.
    private var newKeyCount = 0

    /// Returns the keys of a batch, in the order of the fetch; nil if the batch is not known any more.
    func keys(_ number: UInt32) -> [Int64]? { keys[number] }

    /// Returns a number that no batch has.
    mutating func nextNumber() -> UInt32 {
        repeat { last &+= 1 } while last == 0 || keys[last] != nil
        return last
    }

    /// Adds a batch, and discards unused batches if there are many.
    ///
    /// - Parameters:
    ///   - objectCount: the number of known objects. The search for unused batches visits all objects. It therefore
    ///     waits until as many keys were added.
    ///   - forEachNumber: calls its closure with the batch number of each known object.
    mutating func add(
        _ batch: [Int64], _ number: UInt32, objectCount: @autoclosure () -> Int,
        _ forEachNumber: ((UInt32) -> Void) -> Void
    ) {
        guard batch.count > 1 else { return }
        keys[number] = batch
        newKeyCount += batch.count
        guard keys.count >= sweepAt, newKeyCount >= objectCount() else { return }
        var used: Set<UInt32> = []
        forEachNumber { used.insert($0) }
        keys = keys.filter { used.contains($0.key) }
        sweepAt = max(64, keys.count * 2)
        newKeyCount = 0
    }
}
