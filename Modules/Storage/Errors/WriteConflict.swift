/// A write conflict of one object: the values of both transactions, and the part of the message about this object.
///
/// The values are only for the program: no description shows them.
public struct WriteConflict: Sendable {
    /// The name of the object's entity.
    public let entity: EntityName
    /// The primary key of the object.
    public let key: Int64
    /// The id of the object; nil if no data stack has added it.
    public package(set) var id: ObjectID?
    /// The values at the beginning of the transaction, by column; a reference is the key of the related object.
    public let base: [String: Value]
    /// The values that are stored now; nil if the object was deleted.
    public let stored: [String: Value]?
    /// The values that the transaction would save; nil if the transaction would delete the object.
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

    /// The names of the columns that the other transaction has changed, in order; all columns if it deleted the object.
    public var changedElsewhere: [String] { base.keys.filter { stored?[$0] != base[$0] }.sorted() }
}

extension WriteConflict: CustomStringConvertible, CustomReflectable {
    /// The object, and whether it was changed or deleted, without values.
    public var description: String {
        guard stored != nil else { return "'\(entity)' \(key) was deleted by another transaction" }
        let names = changedElsewhere.map { "'\($0)'" }.joined(separator: ", ")
        return "\(names.isEmpty ? "" : "\(names) of ")'\(entity)' \(key) was changed by another transaction"
    }

    /// A mirror that contains only the ``description``.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
