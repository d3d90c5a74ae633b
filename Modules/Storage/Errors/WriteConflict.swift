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

    package init(
        entity: EntityName, root: Int, key: Int64, base: [String: Value], stored: [String: Value]?,
        wanted: [String: Value]?
    ) {
        self.entity = entity
        self.root = root
        self.key = key
        self.base = base
        self.stored = stored
        self.wanted = wanted
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
