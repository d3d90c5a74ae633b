/// The operations of the stress test's transactions, and the expected final state if they run one after the other.
struct StressModel: Equatable {
    enum Operation: Sendable {
        case create(Int, value: Int)
        case set(Int, value: Int)
        case relate(Int, to: Int?)
        case link(Int, Int)
        case unlink(Int, Int)
        /// Deletes a node; the transaction also removed the children from the node.
        case delete(Int, children: [Int])
    }

    struct State: Equatable {
        var value: Int
        var parent: Int?
        var friends: Set<Int> = []
    }

    var nodes: [Int: State] = [:]

    mutating func apply(_ operation: Operation) {
        switch operation {
        case .create(let number, let value): nodes[number] = State(value: value)
        case .set(let number, let value): nodes[number]?.value = value
        case .relate(let number, let parent): nodes[number]?.parent = parent
        case .link(let first, let second):
            if nodes[first] != nil, nodes[second] != nil { nodes[first]?.friends.insert(second) }
        case .unlink(let first, let second): nodes[first]?.friends.remove(second)
        case .delete(let number, let children):
            nodes[number] = nil
            for child in children { nodes[child]?.parent = nil }
            for other in nodes.keys {
                if nodes[other]?.parent == number { nodes[other]?.parent = nil }
                nodes[other]?.friends.remove(number)
            }
        }
    }
}
