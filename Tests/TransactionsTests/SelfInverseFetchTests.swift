import Coffer
import TestSupport
import Testing

@available(*, deprecated)
private final class Peer: CoreStoreObject {
    let number = Value.Required<Int>("number", initial: 0)
    let friends: RelationshipContainer<Peer>.ToManyUnordered<Peer> = .init("friends", inverse: { $0.friends })
}

/// Fetches by a relationship that is its own inverse, among pending changes.
@MainActor
struct SelfInverseFetchTests {
    @available(*, deprecated)
    @Test(.pins("FQ-06"), arguments: TestBackend.allCases, [true, false])
    func `a condition counts a pending link of a self-inverse relationship on both sides`(
        _ backend: TestBackend, _ isForward: Bool
    ) throws {
        let test = try TestStack(backend, CoreStoreSchema(modelVersion: "V1", entities: [Entity<Peer>("Peer")]))
        try test.stack.perform(synchronous: { transaction in
            let peers = (0..<1_200).map { number in
                let peer = transaction.create(Into<Peer>())
                peer.number .= number
                return peer
            }
            peers[5].friends .= [peers[6]]
        })
        func numbers(_ transaction: BaseDataTransaction, _ format: String) throws -> [Int] {
            try transaction.fetchAll(From<Peer>(), Where<Peer>(format)).map { $0.number.value }.sorted()
        }
        func peer(_ number: Int, _ transaction: BaseDataTransaction) throws -> Peer {
            try #require(try transaction.fetchOne(From<Peer>(), Where<Peer>("number == %d", number)))
        }
        let transaction = test.stack.beginUnsafe()
        let (owner, friend) = isForward ? (1, 2) : (2, 1)
        try peer(owner, transaction).friends.value = [try peer(friend, transaction)]
        #expect(try numbers(transaction, "friends.@count > 0") == [1, 2, 5, 6])
        #expect(try numbers(transaction, "friends.@sum.number == \(friend)") == [owner])
        try peer(isForward ? 5 : 6, transaction).friends.value = []
        #expect(try numbers(transaction, "friends.@count > 0") == [1, 2])
        let child = transaction.beginUnsafe()
        try peer(isForward ? 8 : 9, child).friends.value = [try peer(isForward ? 9 : 8, child)]
        #expect(try numbers(child, "friends.@count == 1") == [1, 2, 8, 9])
        try child.commitAndWait()
        #expect(try numbers(transaction, "friends.@count == 1") == [1, 2, 8, 9])
    }
}
