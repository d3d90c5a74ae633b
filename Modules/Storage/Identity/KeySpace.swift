public import Foundation

/// One key space: the objects of one entity tree in one store.
///
/// Interned for the life of the process, so that an ``ObjectID`` needs only a small number to name it.
public struct KeySpace: Hashable, Sendable {
    /// The id of the store, made when the store was created and kept in it.
    public let store: UUID
    /// The name of the entity at the root of the inheritance tree.
    public let entityName: EntityName

    /// The objects of a tree in a store.
    public init(store: UUID, entityName: EntityName) {
        self.store = store
        self.entityName = entityName
    }
}

/// The process-wide table of key spaces.
///
/// It only grows, by one entry for each root entity of each store ever opened.
enum KeySpaceTable {
    private struct State {
        var spaces: [KeySpace] = []
        var numbers: [KeySpace: UInt32] = [:]
    }

    private static let state = Locked(State())

    static func number(of space: KeySpace) -> UInt32 {
        state.withLock { state in
            if let number = state.numbers[space] { return number }
            let number = UInt32(state.spaces.count)
            state.spaces.append(space)
            state.numbers[space] = number
            return number
        }
    }

    static func space(_ number: UInt32) -> KeySpace {
        state.withLock { $0.spaces[Int(number)] }
    }
}
