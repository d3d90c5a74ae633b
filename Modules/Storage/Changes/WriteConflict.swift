/// An object that a transaction wanted to change or delete, and that someone else has changed or deleted meanwhile.
///
/// Its values are for the program alone: no description shows them.
public struct WriteConflict: Sendable {
    /// The name of the object's entity.
    public let entity: EntityName
    /// The primary key of the object.
    public let key: Int64
    /// The id of the object; nil where no data stack has added it.
    public package(set) var id: ObjectID?
    /// The values that the transaction began with, by column; a reference is the key of the object it leads to.
    public let base: [String: Value]
    /// The values that are stored now; nil when the object was deleted.
    public let stored: [String: Value]?
    /// The values that the transaction wanted; nil when it wanted to delete the object.
    public let wanted: [String: Value]?
    /// The index of the entity at the root of the object's inheritance tree.
    package let root: Int

    package init(_ layout: ModelLayout, base: Row, stored: Row?, wanted: Row?) {
        func values(_ row: Row) -> [String: Value] {
            let columns = layout.entities[row.entity].columns
            return Dictionary(
                columns.enumerated().map { ($1.name, row.value($0, $1.kind)) }, uniquingKeysWith: { _, last in last })
        }
        entity = layout.entities[base.entity].name
        root = layout.entities[base.entity].root
        key = base.key
        self.base = values(base)
        self.stored = stored.map(values)
        self.wanted = wanted.map(values)
    }

    /// The columns that someone else has given other values, in the order of their names; all when the object was
    /// deleted.
    public var changedElsewhere: [String] {
        base.keys.filter { stored?[$0] != base[$0] }.sorted()
    }
}

extension WriteConflict: CustomStringConvertible, CustomReflectable {
    /// Which object, and what became of it: no values.
    public var description: String {
        guard stored != nil else { return "'\(entity)' \(key) was deleted meanwhile" }
        let names = changedElsewhere.map { "'\($0)'" }.joined(separator: ", ")
        return "\(names.isEmpty ? "" : "\(names) of ")'\(entity)' \(key) was changed meanwhile"
    }

    /// What ``description`` says, also for `dump`.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension StorageError {
    /// A row to update was deleted by someone else.
    package static func conflict(deleted key: Int64, of entity: EntityLayout) -> StorageError {
        StorageError(
            .conflict, "'\(entity.name)' \(key) was deleted meanwhile. Fetch again and repeat the transaction.")
    }

    /// What a transaction wanted to change was changed by someone else.
    package static func conflict(_ conflicts: [WriteConflict]) -> StorageError {
        let listed = conflicts.prefix(3).map(\.description).joined(separator: "; ")
        let rest = conflicts.count > 3 ? ", and so were \(conflicts.count - 3) more" : ""
        var error = StorageError(.conflict, "\(listed)\(rest). Fetch again and repeat the transaction.")
        error.conflicts = conflicts
        return error
    }
}
