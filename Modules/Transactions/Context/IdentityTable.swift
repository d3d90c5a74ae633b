import CofferSchema
import Foundation

/// A hash table of the objects of one key space in one context, by key.
///
/// The table retains its objects. ``sweep()`` releases the objects that nothing else retains. A table is swept when
/// its size has doubled since the last sweep, so a context that reads a million rows does not keep a million objects.
final class IdentityTable {
    /// A place of the table, empty if there is no object.
    ///
    /// An entry of zeros is empty.
    struct Entry {
        var key: Int64
        var object: Unmanaged<CoreStoreObject>?
    }

    // Exclusivity is not checked at run time: no access to one of these properties calls other code while it lasts.
    @exclusivity(unchecked) private var entries: UnsafeMutablePointer<Entry>
    @exclusivity(unchecked) private var mask: Int
    @exclusivity(unchecked) private(set) var count = 0
    @exclusivity(unchecked) private var limit: Int
    @exclusivity(unchecked) private var sweepAt = 4096
    /// Whether the places of neighbouring keys are far from each other.
    ///
    /// Places in the order of the keys are best for dense keys. However, new keys may start again at the front of a
    /// table in which some places are occupied. Then, each new object is further away from its place than the
    /// previous object.
    @exclusivity(unchecked) private var isScattered = false
    private let spare: SpareTableMemory

    /// How far an object may be from its place before the table is scattered.
    private static var farthest: Int { 128 }

    init(_ spare: SpareTableMemory) {
        self.spare = spare
        mask = 15
        limit = 12
        entries = Self.allocate(16)
    }

    deinit {
        let capacity = mask + 1
        guard SpareTableMemory.isKept(capacity) else {
            for index in 0..<capacity { entries[index].object?.release() }
            return free(entries)
        }
        for index in 0..<capacity {
            guard let object = entries[index].object else { continue }
            entries[index] = Entry(key: 0, object: nil)
            object.release()
        }
        spare.keep(SpareTableMemory.Memory(entries: entries, capacity: capacity))
    }

    // The memory of a big table is already zero, and most of it is never touched.
    private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<Entry> {
        guard let memory = calloc(capacity, MemoryLayout<Entry>.stride) else { preconditionFailure("Out of memory.") }
        return memory.bindMemory(to: Entry.self, capacity: capacity)
    }

    @inline(__always)
    private func home(_ key: Int64) -> Int {
        // Keys are dense, and keys that are read together are close together, so their places are close together,
        // too. The shifted parts are for keys whose low bits are all the same.
        if isScattered { return Int(truncatingIfNeeded: (key &* 0x1E37_79B9_7F4A_7C15) >> 29) & mask }
        return Int(truncatingIfNeeded: key &+ key >> 7 &+ key >> 17 &+ key >> 31) & mask
    }

    /// The object of a key.
    @inline(__always)
    func object(_ key: Int64) -> CoreStoreObject? { unretainedObject(key)?.takeUnretainedValue() }

    /// Returns the object of a key without a reference to it; the table retains the object.
    @inline(__always)
    func unretainedObject(_ key: Int64) -> Unmanaged<CoreStoreObject>? {
        var index = home(key)
        while let object = entries[index].object {
            if entries[index].key == key { return object }
            index = (index + 1) & mask
        }
        return nil
    }

    /// Adds an object whose key is not in the table.
    ///
    /// - Returns: the same object; the reference is valid while the table retains the object.
    @inline(__always)
    @discardableResult
    func insert(_ object: consuming CoreStoreObject, _ key: Int64) -> Unmanaged<CoreStoreObject> {
        if count >= limit { resize(to: (mask + 1) * 2) }
        let held = Unmanaged.passRetained(object)
        if !place(Entry(key: key, object: held)) {
            isScattered = true
            resize(to: mask + 1)
            place(Entry(key: key, object: held))
        }
        count += 1
        return held
    }

    /// Puts an object into a free place.
    ///
    /// - Returns: false if the place is too far away. Then, nothing was changed, and the table must be scattered.
    @inline(__always)
    @discardableResult
    private func place(_ entry: Entry) -> Bool {
        var index = home(entry.key)
        var distance = 0
        while entries[index].object != nil {
            index = (index + 1) & mask
            distance += 1
            if distance == Self.farthest, !isScattered { return false }
        }
        entries[index] = entry
        return true
    }

    /// Removes the object of a key, and moves up the objects that it displaced.
    func remove(_ key: Int64) {
        var index = home(key)
        while entries[index].object != nil, entries[index].key != key { index = (index + 1) & mask }
        guard let removed = entries[index].object else { return }
        entries[index].object = nil
        count -= 1
        var next = (index + 1) & mask
        while entries[next].object != nil {
            let wanted = home(entries[next].key)
            if (next - wanted) & mask >= (next - index) & mask {
                entries[index] = entries[next]
                entries[next].object = nil
                index = next
            }
            next = (next + 1) & mask
        }
        removed.release()
    }

    /// Sweeps if the table has doubled since the last sweep; called before objects are created, never in between.
    @inline(__always)
    func sweepIfDue() {
        if count >= sweepAt { sweep() }
    }

    /// Releases the objects that nothing else retains.
    func sweep() {
        var dropped: [Unmanaged<CoreStoreObject>] = []
        for index in 0...mask {
            guard let held = entries[index].object else { continue }
            // The table's own reference is taken out for the check, and then put back.
            var object = held.takeRetainedValue()
            let isUnique = isKnownUniquelyReferenced(&object)
            entries[index].object = isUnique ? nil : .passRetained(object)
            if isUnique { dropped.append(.passRetained(object)) }
        }
        count -= dropped.count
        resize(to: mask + 1)
        sweepAt = max(4096, count * 2)
        for object in dropped { object.release() }
    }

    /// Calls a closure with every object.
    func forEach(_ body: (CoreStoreObject) -> Void) {
        for index in 0...mask {
            if let object = entries[index].object { body(object.takeUnretainedValue()) }
        }
    }

    /// Releases all objects.
    func removeAll() {
        let (old, capacity) = (entries, mask + 1)
        entries = Self.allocate(capacity)
        count = 0
        for index in 0..<capacity { old[index].object?.release() }
        free(old)
    }

    /// Moves every object to its place in new memory.
    ///
    /// - Parameter wanted: the least capacity of the new memory.
    private func resize(to wanted: Int) {
        let (old, oldCapacity) = (entries, mask + 1)
        let memory = spare.take(wanted)
        let capacity = memory?.capacity ?? wanted
        entries = memory?.entries ?? Self.allocate(capacity)
        mask = capacity - 1
        limit = capacity / 4 * 3
        if !placeAll(old, oldCapacity) {
            isScattered = true
            entries.update(repeating: Entry(key: 0, object: nil), count: capacity)
            placeAll(old, oldCapacity)
        }
        free(old)
    }

    /// - Returns: false if the table must be scattered first.
    @discardableResult
    private func placeAll(_ old: UnsafeMutablePointer<Entry>, _ capacity: Int) -> Bool {
        for index in 0..<capacity where old[index].object != nil {
            guard place(old[index]) else { return false }
        }
        return true
    }
}
