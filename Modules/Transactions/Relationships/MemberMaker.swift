import CofferSchema
import CofferStorage

/// Creates the members of to-many relationships from rows, and assigns their keys to the owners.
final class MemberMaker {
    private let objects: ObjectMaker
    private let attach: (_ members: [Int64], _ owner: Int64) -> Void
    @exclusivity(unchecked) private var owner: Int64 = 0
    @exclusivity(unchecked) private var members: [Int64] = []

    init(_ objects: ObjectMaker, _ attach: @escaping (_ members: [Int64], _ owner: Int64) -> Void) {
        self.objects = objects
        self.attach = attach
    }

    @inline(__always)
    func add(_ row: consuming Row, of rowOwner: Int64) {
        if rowOwner != owner || members.isEmpty { begin(rowOwner) }
        members.append(row.key)
        objects.unretainedObject(row)
    }

    private func begin(_ next: Int64) {
        finish()
        owner = next
    }

    /// Tells the last owner.
    func finish() {
        if !members.isEmpty { attach(members, owner) }
        members.removeAll(keepingCapacity: true)
    }
}
