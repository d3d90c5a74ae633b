import CofferSchema
import Foundation

/// A hash table of the objects of one key space in one context, by key.
///
/// The table holds objects strongly. ``sweep()`` releases the objects without another holder. A table is swept when it
/// has doubled since the last time, so a context that reads a million rows does not keep a million objects.
final class IdentityTable {
    /// A place, empty when there is no object.
    ///
    /// All zeros is an empty one.
    private struct Entry {
        var key: Int64
        var object: Unmanaged<CoreStoreObject>?
    }

    // Exclusivity is not checked at run time: no access to one of these calls out while it lasts.
    @exclusivity(unchecked) private var entries: UnsafeMutablePointer<Entry>
    @exclusivity(unchecked) private var mask: Int
    @exclusivity(unchecked) private(set) var count = 0
    @exclusivity(unchecked) private var limit: Int
    @exclusivity(unchecked) private var sweepAt = 4096
    /// Whether the places of neighbouring keys are far from each other.
    ///
    /// Places that follow the keys are best for keys that are dense. Where new keys begin again at the front of a table in
    /// which some places are taken, each new object is put further away from its place than the one before.
    @exclusivity(unchecked) private var isScattered = false

    /// How far an object may be from its place before the table is scattered.
    private static var farthest: Int { 128 }

    init() {
        mask = 15
        limit = 12
        entries = Self.allocate(16)
    }

    deinit {
        for index in 0...mask { entries[index].object?.release() }
        free(entries)
    }

    // The memory of a big table is zero without having been touched, and most of it never is.
    private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<Entry> {
        guard let memory = calloc(capacity, MemoryLayout<Entry>.stride) else { preconditionFailure("Out of memory.") }
        return memory.bindMemory(to: Entry.self, capacity: capacity)
    }

    @inline(__always)
    private func home(_ key: Int64) -> Int {
        // Keys are dense, and those that are read together lie close together: so do their places. The shifted parts
        // are for keys whose low bits are all the same.
        if isScattered { return Int(truncatingIfNeeded: (key &* 0x1E37_79B9_7F4A_7C15) >> 29) & mask }
        return Int(truncatingIfNeeded: key &+ key >> 7 &+ key >> 17 &+ key >> 31) & mask
    }

    /// The object of a key.
    @inline(__always)
    func object(_ key: Int64) -> CoreStoreObject? { unretainedObject(key)?.takeUnretainedValue() }

    /// The object of a key, without a reference to it; the table holds it.
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
    /// - Returns: the same object, as long as the table holds it.
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
    /// - Returns: false if the place would be too far away; then the table must be scattered, and nothing was done.
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

    /// Removes the object of a key, moving up those that were displaced by it.
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

    /// Sweeps when the table has doubled since the last time: before objects are made, never while they are.
    @inline(__always)
    func sweepIfDue() {
        if count >= sweepAt { sweep() }
    }

    /// Releases the objects that have no other holder.
    func sweep() {
        var dropped: [Unmanaged<CoreStoreObject>] = []
        for index in 0...mask {
            guard let held = entries[index].object else { continue }
            // The table's own reference, taken out to be looked at and put back.
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

    /// Every object.
    func forEach(_ body: (CoreStoreObject) -> Void) {
        for index in 0...mask {
            if let object = entries[index].object { body(object.takeUnretainedValue()) }
        }
    }

    /// Lets go of everything.
    func removeAll() {
        let (old, capacity) = (entries, mask + 1)
        entries = Self.allocate(capacity)
        count = 0
        for index in 0..<capacity { old[index].object?.release() }
        free(old)
    }

    /// Puts every object into its place in new memory.
    private func resize(to capacity: Int) {
        let (old, oldCapacity) = (entries, mask + 1)
        entries = Self.allocate(capacity)
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
