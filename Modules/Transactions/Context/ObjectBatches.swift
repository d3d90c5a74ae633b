/// Records which objects were fetched together, so that a relationship is loaded for all of them at once.
///
/// The objects carry the number of their batch.
///
/// The first look at a relationship of one of them loads it for all.
struct ObjectBatches {
    private var keys: [UInt32: [Int64]] = [:]
    private var last: UInt32 = 0
    private var sweepAt = 64
    /// How many keys were added since unused batches were looked for.
    private var newKeyCount = 0

    /// The keys of a batch, in the order they were fetched; nil for one that is not known any more.
    func keys(_ number: UInt32) -> [Int64]? { keys[number] }

    /// A number that no batch has.
    mutating func nextNumber() -> UInt32 {
        repeat { last &+= 1 } while last == 0 || keys[last] != nil
        return last
    }

    /// Remembers a batch, and forgets those that no object carries any more when there are many.
    ///
    /// - Parameters:
    ///   - objectCount: how many objects there are. The search for unused batches visits all objects. It therefore waits
    ///     until as many keys were added.
    ///   - forEachNumber: calls its closure with the number of each object there is.
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
