import CofferSQL
import CofferStorage

/// Prepares each statement that updates some columns of an entity only once.
struct SQLiteUpdates {
    /// A prepared update and the slots that it binds.
    final class Update {
        let statement: SQLiteStatement
        private let slots: [Int]

        init(_ statement: SQLiteStatement, _ slots: [Int]) {
            self.statement = statement
            self.slots = slots
        }

        /// Binds the slots of a row, and then the key of the row to update; returns the next parameter.
        @inline(__always)
        func bind(_ row: Row, _ kinds: [ColumnKind], key: Int64) throws(StorageError) -> Int32 {
            var place: Int32 = 1
            for slot in slots {
                try statement.bind(row, slot, kinds[slot], place)
                place += 1
            }
            statement.bind(key, place)
            return place + 1
        }
    }

    private struct Shape: Hashable {
        let entity: Int
        let columns: ColumnSet
    }

    private let connection: SQLiteConnection
    private let mutations: SQLMutations
    private let checksVersion: Bool
    private var updates: [Shape: Update] = [:]
    private var last: (shape: Shape, update: Update)?

    /// The maximum number of shapes; updates of more shapes are prepared again.
    private static var limit: Int { 64 }

    /// - Parameter checksVersion: whether the updates bind, after the key, the version that the row must have.
    init(_ connection: SQLiteConnection, _ mutations: SQLMutations, checksVersion: Bool) {
        self.connection = connection
        self.mutations = mutations
        self.checksVersion = checksVersion
    }

    /// Returns the update of some columns of an entity.
    mutating func update(_ entity: Int, _ columns: ColumnSet) throws(StorageError) -> Update {
        let shape = Shape(entity: entity, columns: columns)
        if let last, last.shape == shape { return last.update }
        let update: Update
        if let known = updates[shape] {
            update = known
        } else {
            let count = mutations.schema.layout.entities[entity].columns.count
            let slots = columns.slots.filter { $0 < count }
            let text = mutations.update(entity: entity, slots: slots, checksVersion: checksVersion)
            update = Update(try connection.statement(text), slots)
            if updates.count >= Self.limit { updates = [:] }
            updates[shape] = update
        }
        last = (shape, update)
        return update
    }
}
