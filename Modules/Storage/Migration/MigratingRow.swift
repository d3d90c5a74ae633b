import Foundation

/// A row during a migration: has the old values, and checks the new values that a transformation sets.
///
/// The new row does not exist before ``create()`` is called.
public final class MigratingRow {
    /// The entity of the old row.
    public let source: EntityLayout
    /// The entity of the new row.
    public let target: EntityLayout
    /// The old row's key.
    public var key: Int64 { row.key }

    /// The new values, by the slots of the target; nil if there is no new row yet.
    package private(set) var values: [Value]?

    private let row: Row
    /// The slots in the source, by the names of the target's attributes.
    private let attributes: [String: Int]

    /// Creates the migration of a row from one entity to another.
    ///
    /// - Parameter attributes: the slots in the source, by the names of the target's attributes.
    package init(_ row: Row, from source: EntityLayout, to target: EntityLayout, attributes: [String: Int]) {
        self.row = row
        self.source = source
        self.target = target
        self.attributes = attributes
    }

    /// The value of an attribute of the old row; nil if there is no such attribute.
    public func value(_ attribute: String) -> Value? {
        guard let slot = slot(attribute, of: source) else { return nil }
        return row.value(slot, source.kinds[slot])
    }

    /// The name of an attribute of the target in the source; nil if the source does not have the attribute.
    public func sourceAttribute(of attribute: String) -> String? {
        attributes[attribute].map { source.columns[$0].name }
    }

    /// Creates the new row with the target's defaults; does nothing if the row exists.
    public func create() {
        if values == nil { values = target.columns.map(\.defaultValue) }
    }

    /// The value of an attribute of the new row; nil if there is no such attribute, or no new row.
    public func newValue(_ attribute: String) -> Value? {
        slot(attribute, of: target).flatMap { values?[$0] }
    }

    /// Sets a value of the new row, and creates the row if it does not exist.
    ///
    /// - Throws: `invalidValue` if there is no such attribute, or if the attribute cannot hold the value.
    public func set(_ value: Value, for attribute: String) throws(StorageError) {
        guard let slot = slot(attribute, of: target) else {
            throw StorageError(
                .invalidValue, "'\(target.name)' has no attribute '\(attribute)'. Correct the transformation."
            )
        }
        let kind = target.kinds[slot]
        let widened = value.widened(to: kind)
        guard widened.fits(kind) else {
            throw StorageError(
                .invalidValue,
                "'\(target.name).\(attribute)' is \(kind.rawValue) and cannot store the value that the "
                    + "transformation of row \(row.key) sets. Convert the value first."
            )
        }
        create()
        values?[slot] = widened
    }

    /// Copies every attribute that has a source.
    ///
    /// - Throws: `invalidValue` if a value cannot be converted without loss.
    public func copyAttributes() throws(StorageError) {
        create()
        for (name, slot) in attributes {
            let value = row.value(slot, source.kinds[slot])
            if value.isNull, let own = self.slot(name, of: target), !target.columns[own].isOptional,
                !target.columns[own].defaultValue.isNull
            {
                continue
            }
            try set(value, for: name)
        }
    }

    private func slot(_ name: String, of entity: EntityLayout) -> Int? {
        guard let slot = entity.slot(named: name), case .attribute = entity.columns[slot].role else { return nil }
        return slot
    }
}

extension Value {
    /// Whether a column of a kind can hold the value.
    fileprivate func fits(_ kind: ColumnKind) -> Bool {
        switch (kind, self) {
        case (_, .null), (.integer, .integer), (.boolean, .boolean), (.text, .text), (.blob, .blob),
            (.reference, .object), (.reference, .integer):
            true
        case (.double, .double(let number)), (.date, .date(let number)): !number.isNaN
        case (.decimal, .decimal(let number)): !number.isNaN
        default: false
        }
    }
}
