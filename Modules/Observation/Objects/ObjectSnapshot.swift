public import CofferClauses
public import CofferSchema
public import CofferStorage
public import CofferStorageTools
public import CofferTransactions

// Sendable: the snapshot contains the values of one moment, and any thread may use its data stack.
/// A snapshot of an object: creates the dictionary of its values (`dictionaryForValues()`), and compares snapshots.
///
/// ```swift
/// let snapshot = person.asSnapshot(in: stack)
/// print(snapshot?.$name ?? "(deleted)")    // the same name after later commits
/// ```
///
/// Any thread may read a snapshot. A program may change its copy, but the change is not saved. Two snapshots are equal
/// if they represent the same object and have equal values. A value that is not `Equatable` is equal only to itself.
///
/// A value that cannot be read is the default of its field, and the error is logged.
@dynamicMemberLookup
public struct ObjectSnapshot<O: DynamicObject>: ObjectRepresentation, Hashable, @unchecked Sendable {
    /// The class of the object.
    public typealias ObjectType = O

    private final class Edition {}

    let content: SnapshotContent
    /// The values that were set in this copy, by field name.
    private(set) var changes: [KeyPathString: Any] = [:]
    /// The identity of the changed values; nil until a value is set.
    ///
    /// An unedited copy has the same identity.
    private var edition: Edition?
    private weak var stack: DataStack?

    init?(_ object: O?, _ graph: ObjectGraph, _ stack: DataStack?) {
        guard let object = object as? CoreStoreObject, !object.isDeleted else { return nil }
        content = SnapshotContent(object, graph)
        self.stack = stack
    }

    /// The id of the object.
    public func objectID() -> ObjectID { content.id }

    /// The data stack of the object; nil if it was deallocated.
    public func cs_dataStack() -> DataStack? { stack }

    /// Returns all values by the names of their fields; a relationship has the ids of its related objects.
    ///
    /// A nil value has no entry. A value that cannot be read has no entry and is logged.
    public func dictionaryForValues() -> [String: Any] {
        var values: [String: Any] = [:]
        for (field, word) in content.entity.fields {
            let key = field.keyPath
            if case .relationship(let relationship) = field.kind {
                let ids = change(key) ?? content.related[key] ?? []
                if relationship.isOrdered {
                    values[key] = ids
                } else if relationship.isToMany {
                    values[key] = Set(ids)
                } else {
                    values[key] = ids.first
                }
            } else if let value = changes[key] ?? content.computed[key] {
                values[key] = value
            } else if let value = field.reading.ofRow?(content.row, word.slot) {
                values[key] = value
            } else {
                Diagnostics.log(
                    .warning, "'\(O.self).\(key)' of \(content.id) cannot be read. The dictionary does not contain it.")
            }
        }
        return values.compactMapValues { AnyValues.unwrapped($0) }
    }

    /// Returns whether both snapshots represent the same object and have equal values, also if a copy was changed.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        if lhs.content === rhs.content, lhs.edition === rhs.edition { return true }
        let changed = Set(lhs.changes.keys).union(rhs.changes.keys)
        guard lhs.content.hasSameValues(as: rhs.content, except: changed) else { return false }
        return changed.isEmpty || AnyValues.areEqual(lhs.values(of: changed), rhs.values(of: changed))
    }

    private func values(of keys: Set<KeyPathString>) -> [KeyPathString: Any] {
        dictionaryForValues().filter { keys.contains($0.key) }
    }

    /// Hashes the object's id.
    public func hash(into hasher: inout Hasher) { hasher.combine(content.id) }

    /// Returns the value that was set in this copy; nil if none was set.
    func change<V>(_ key: KeyPathString) -> V? {
        guard let value = changes[key] else { return nil }
        return value as? V
    }

    mutating func set(_ value: Any, _ key: KeyPathString) {
        changes[key] = value
        edition = Edition()
    }
}

extension ObjectSnapshot: CustomStringConvertible, CustomDebugStringConvertible, CoreStoreDebugStringConvertible {
    /// The class and the id of the object.
    public var description: String { "ObjectSnapshot<\(O.self)>(\(content.id))" }

    /// The id of the object and its values.
    public var coreStoreDumpString: String {
        DumpTree.text([
            ("objectID", content.id),
            ("values", dictionaryForValues()),
        ])
    }
}
