import CofferStorage
import CofferStorageTools

/// Creates the members of to-many relationships from rows, and groups their keys by owner.
///
/// The rows of different owners may alternate. Objects that are created in the order of the rows are beside these
/// rows in memory.
final class MemberMaker {
    private let objects: ObjectMaker
    private let owners: OwnerPlaces
    private let isOrdered: Bool
    // Exclusivity is not checked at run time: no access to one of these properties calls other code while it lasts.
    /// The place of the owner of each row, -1 if the owner is unknown.
    @exclusivity(unchecked) private var places: [Int32] = []
    /// The key of each row; nil as long as these are the keys of the maker, where no key is repeated.
    @exclusivity(unchecked) private var keysWithRepetitions: [Int64]?

    /// - Parameter isOrdered: whether the rows of an owner have the order of the relationship. If not, the keys of its
    ///   members are sorted.
    init(_ objects: ObjectMaker, _ owners: OwnerPlaces, isOrdered: Bool) {
        self.isOrdered = isOrdered
        self.objects = objects
        self.owners = owners
    }

    @inline(__always)
    func add(_ row: consuming Row, of owner: Int64) {
        let key = row.key
        objects.unretainedObject(row)
        places.append(Int32(truncatingIfNeeded: owners.place(of: owner) ?? -1))
        if objects.keys.count != places.count { addRepeated(key) }
    }

    /// Adds the key of a row after a row that was already there, for another owner.
    private func addRepeated(_ key: Int64) {
        if keysWithRepetitions == nil { keysWithRepetitions = Array(objects.keys.prefix(places.count - 1)) }
        keysWithRepetitions?.append(key)
    }

    /// Calls the closure with each owner and the keys of its members; the keys may be empty.
    func forEachOwner(_ body: (_ owner: Int64, _ members: [Int64]) -> Void) {
        // The keys of an owner begin after the keys of the owners before it.
        var ends = Array(repeating: 0, count: owners.owners.count)
        for place in places where place >= 0 { ends[Int(place)] += 1 }
        var count = 0
        for place in ends.indices { (ends[place], count) = (count, count + ends[place]) }
        var grouped = Array(repeating: Int64(0), count: count)
        for (key, place) in zip(keysWithRepetitions ?? objects.keys, places) where place >= 0 {
            grouped[ends[Int(place)]] = key
            ends[Int(place)] += 1
        }
        var start = 0
        for (place, owner) in owners.owners.enumerated() {
            var members = Array(grouped[start..<ends[place]])
            start = ends[place]
            if !isOrdered, !members.indices.dropFirst().allSatisfy({ members[$0 - 1] <= members[$0] }) {
                members.sort()
            }
            body(owner, members)
        }
    }
}
