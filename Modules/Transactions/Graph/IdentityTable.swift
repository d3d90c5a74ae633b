import CofferSchema

/// The objects of one key space in one context, by key: one object for one row.
///
/// Objects are held strongly and let go by ``sweep()``, which drops those nobody else holds. A table sweeps itself when
/// it has doubled since the last time, so a context that reads a million rows does not keep a million objects.
final class IdentityTable {
    // Exclusivity is not checked at run time: no access to one of these calls out while it lasts.
    @exclusivity(unchecked) private var keys: UnsafeMutablePointer<Int64>
    @exclusivity(unchecked) private var objects: UnsafeMutablePointer<CoreStoreObject?>
    @exclusivity(unchecked) private var mask: Int
    @exclusivity(unchecked) private var limit: Int
    @exclusivity(unchecked) private(set) var count = 0
    @exclusivity(unchecked) private var sweepAt = 4096

    init(capacity: Int = 16) {
        mask = capacity - 1
        limit = capacity * 3 / 4
        keys = .allocate(capacity: capacity)
        objects = .allocate(capacity: capacity)
        objects.initialize(repeating: nil, count: capacity)
    }

    deinit {
        objects.deinitialize(count: mask + 1)
        objects.deallocate()
        keys.deallocate()
    }

    @inline(__always)
    private func home(_ key: Int64) -> Int {
        // Keys are dense, and those that are read together lie close together: so do their places. The shifted parts
        // are for keys whose low bits are all the same.
        Int(truncatingIfNeeded: key &+ key >> 7 &+ key >> 17 &+ key >> 31) & mask
    }

    /// The object of a key.
    @inline(__always)
    func object(_ key: Int64) -> CoreStoreObject? {
        var index = home(key)
        while let object = objects[index] {
            if keys[index] == key { return object }
            index = (index + 1) & mask
        }
        return nil
    }

    /// Adds an object whose key is not in the table.
    @inline(__always)
    func insert(_ object: CoreStoreObject, _ key: Int64) {
        if count >= limit { makeRoom(1) }
        place(object, key)
        count += 1
    }

    @inline(__always)
    private func place(_ object: CoreStoreObject, _ key: Int64) {
        var index = home(key)
        while objects[index] != nil { index = (index + 1) & mask }
        keys[index] = key
        objects[index] = object
    }

    /// Makes room for that many more objects at once.
    func reserve(_ more: Int) {
        if count + more > limit { makeRoom(more) }
    }

    /// Removes the object of a key, moving up those that were displaced by it.
    func remove(_ key: Int64) {
        var index = home(key)
        while objects[index] != nil, keys[index] != key { index = (index + 1) & mask }
        guard objects[index] != nil else { return }
        objects[index] = nil
        count -= 1
        var next = (index + 1) & mask
        while let object = objects[next] {
            let wanted = home(keys[next])
            if (next - wanted) & mask >= (next - index) & mask {
                keys[index] = keys[next]
                objects[index] = object
                objects[next] = nil
                index = next
            }
            next = (next + 1) & mask
        }
    }

    /// Lets go of the objects that nobody else holds.
    func sweep() {
        var dropped: [Int64] = []
        for index in 0...mask where objects[index] != nil {
            if isKnownUniquelyReferenced(&objects[index]) { dropped.append(keys[index]) }
        }
        if dropped.count * 2 > count {
            rebuild(capacity: mask + 1, dropping: Set(dropped))
        } else {
            for key in dropped { remove(key) }
        }
        sweepAt = max(4096, count * 2)
    }

    /// Every object.
    func forEach(_ body: (CoreStoreObject) -> Void) {
        for index in 0...mask {
            if let object = objects[index] { body(object) }
        }
    }

    /// Lets go of everything.
    func removeAll() {
        for index in 0...mask { objects[index] = nil }
        count = 0
    }

    private func makeRoom(_ more: Int) {
        if count >= sweepAt { sweep() }
        var capacity = mask + 1
        while (count + more) * 4 > capacity * 3 { capacity *= 2 }
        if capacity > mask + 1 { rebuild(capacity: capacity, dropping: []) }
    }

    private func rebuild(capacity: Int, dropping: Set<Int64>) {
        let (oldKeys, oldObjects, oldCount) = (keys, objects, mask + 1)
        keys = .allocate(capacity: capacity)
        objects = .allocate(capacity: capacity)
        objects.initialize(repeating: nil, count: capacity)
        mask = capacity - 1
        limit = capacity * 3 / 4
        count = 0
        for index in 0..<oldCount {
            guard let object = (oldObjects + index).move() else { continue }
            if dropping.contains(oldKeys[index]) { continue }
            place(object, oldKeys[index])
            count += 1
        }
        oldObjects.deallocate()
        oldKeys.deallocate()
    }
}
