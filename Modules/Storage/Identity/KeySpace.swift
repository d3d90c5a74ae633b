public import Foundation

/// A key space: the store and the root entity in which the keys of rows are unique.
///
/// The process keeps a table of all key spaces, so an ``ObjectID`` needs only a small number for its key space.
public struct KeySpace: Hashable, Sendable {
    /// The id of the store, which is created and saved with the store.
    public let store: UUID
    /// The name of the entity at the root of the inheritance tree.
    public let entityName: EntityName

    /// Creates the key space of a tree in a store.
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

    static func space(_ number: UInt32) -> KeySpace { state.withLock { $0.spaces[Int(number)] } }
}
