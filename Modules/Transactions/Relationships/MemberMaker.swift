import CofferStorage
import CofferStorageTools

/// Creates the members of to-many relationships from rows, and groups their keys by owner.
///
/// The rows of different owners may alternate. Objects that are created in the order of the rows are beside these
/// rows in memory.
final class MemberMaker {
    /// The members of one owner.
    private struct Chain {
        var first = -1
        var last = -1
        var count = 0

        /// Adds the member with an index.
        ///
        /// - Returns: the index of the member before it.
        mutating func append(_ index: Int) -> Int? {
            defer { last = index }
            count += 1
            if count > 1 { return last }
            first = index
            return nil
        }
    }

    private let objects: ObjectMaker
    private let owners: OwnerPlaces
    private let isOrdered: Bool
    // Exclusivity is not checked at run time: no access to one of these properties calls other code while it lasts.
    @exclusivity(unchecked) private var chains: [Chain]
    /// The members in the order of the rows, with the index of the next member of the owner; -1 for none.
    @exclusivity(unchecked) private var members: [(key: Int64, next: Int)] = []

    /// - Parameter isOrdered: whether the rows of an owner have the order of the relationship. If not, the keys of its
    ///   members are sorted.
    init(_ objects: ObjectMaker, _ owners: OwnerPlaces, isOrdered: Bool) {
        self.isOrdered = isOrdered
        self.objects = objects
        self.owners = owners
        chains = Array(repeating: Chain(), count: owners.owners.count)
    }

    @inline(__always)
    func add(_ row: consuming Row, of owner: Int64) {
        let key = row.key
        objects.unretainedObject(row)
        guard let place = owners.place(of: owner) else { return }
        let index = members.count
        members.append((key, -1))
        if let last = chains[place].append(index) { members[last].next = index }
    }

    /// Calls the closure with each owner and the keys of its members; the keys may be empty.
    func forEachOwner(_ body: (_ owner: Int64, _ members: [Int64]) -> Void) {
        for (place, owner) in owners.owners.enumerated() {
            var keys: [Int64] = []
            keys.reserveCapacity(chains[place].count)
            var index = chains[place].first
            var isAscending = true
            while index >= 0 {
                let key = members[index].key
                if let last = keys.last, key < last { isAscending = false }
                keys.append(key)
                index = members[index].next
            }
            if !isOrdered, !isAscending { keys.sort() }
            body(owner, keys)
        }
    }
}
