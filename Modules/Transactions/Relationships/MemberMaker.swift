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
    // Exclusivity is not checked at run time: no access to the property calls other code while it lasts.
    /// The members in the order of the rows, with the key of the owner, and at last the place of the owner.
    @exclusivity(unchecked) private var members: [(owner: Int64, key: Int64)] = []

    /// - Parameter isOrdered: whether the rows of an owner have the order of the relationship. If not, the keys of its
    ///   members are sorted.
    init(_ objects: ObjectMaker, _ owners: OwnerPlaces, isOrdered: Bool) {
        self.isOrdered = isOrdered
        self.objects = objects
        self.owners = owners
    }

    @inline(__always)
    func add(_ row: consuming Row, of owner: Int64) {
        members.append((owner, row.key))
        objects.unretainedObject(row)
    }

    /// Calls the closure with each owner and the keys of its members; the keys may be empty.
    ///
    /// This method can be called only once, because it replaces the keys of the owners by their places.
    func forEachOwner(_ body: (_ owner: Int64, _ members: [Int64]) -> Void) {
        // The keys of an owner begin after the keys of the owners before it.
        var ends = Array(repeating: 0, count: owners.owners.count)
        for index in members.indices {
            let place = owners.place(of: members[index].owner) ?? -1
            members[index].owner = Int64(place)
            if place >= 0 { ends[place] += 1 }
        }
        var count = 0
        for place in ends.indices { (ends[place], count) = (count, count + ends[place]) }
        var keys = Array(repeating: Int64(0), count: count)
        for member in members where member.owner >= 0 {
            keys[ends[Int(member.owner)]] = member.key
            ends[Int(member.owner)] += 1
        }
        var start = 0
        for (place, owner) in owners.owners.enumerated() {
            var members = Array(keys[start..<ends[place]])
            start = ends[place]
            if !isOrdered, !members.indices.dropFirst().allSatisfy({ members[$0 - 1] <= members[$0] }) {
                members.sort()
            }
            body(owner, members)
        }
    }
}
