import Foundation

/// One row on its way through a transformation: what it was, and what it becomes.
///
/// It becomes nothing until ``create()`` is called.
public final class MigratingRow {
    /// The row's entity in the source.
    public var source: EntityLayout { move.source }
    /// The entity of the row that it becomes.
    public var target: EntityLayout { move.target }
    /// The old row's key.
    public var key: Int64 { row.key }

    /// By the target's slots; nil as long as there is no new row.
    private(set) var values: [Value]?

    private let row: Row
    private let move: EntityMove

    init(_ row: Row, _ move: EntityMove) {
        self.row = row
        self.move = move
    }

    /// The value of an attribute of the old row; nil when there is no such attribute.
    public func value(_ attribute: String) -> Value? {
        guard let slot = slot(attribute, of: move.source) else { return nil }
        return row.value(slot, move.source.kinds[slot])
    }

    /// The name in the source of an attribute of the target, where it has one.
    public func sourceAttribute(of attribute: String) -> String? {
        move.attributes[attribute].map { move.source.columns[$0].name }
    }

    /// Makes the new row, with the target's defaults; harmless when it is there.
    public func create() {
        if values == nil { values = move.target.columns.map(\.defaultValue) }
    }

    /// The value of an attribute of the new row; nil when there is no such attribute, or no row.
    public func newValue(_ attribute: String) -> Value? {
        slot(attribute, of: move.target).flatMap { values?[$0] }
    }

    /// Gives the new row, which is made if need be, a value.
    ///
    /// - Throws: `invalidValue` when there is no such attribute or it cannot hold the value.
    public func set(_ value: Value, for attribute: String) throws(StorageError) {
        guard let slot = slot(attribute, of: move.target) else {
            throw StorageError(
                .invalidValue, "'\(move.target.name)' has no attribute '\(attribute)'. Correct the transformation."
            )
        }
        let kind = move.target.kinds[slot]
        let widened = value.widened(to: kind)
        guard widened.fits(kind) else {
            throw StorageError(
                .invalidValue,
                "'\(move.target.name).\(attribute)' is \(kind.rawValue), and cannot hold the value that the "
                    + "transformation of row \(row.key) gives it. Convert it first."
            )
        }
        create()
        values?[slot] = widened
    }

    /// Copies every attribute that has a source.
    ///
    /// - Throws: `invalidValue` when a value does not convert without loss.
    public func copyAttributes() throws(StorageError) {
        create()
        for (name, slot) in move.attributes {
            let value = row.value(slot, move.source.kinds[slot])
            if value.isNull, let own = self.slot(name, of: move.target), !move.target.columns[own].isOptional,
                !move.target.columns[own].defaultValue.isNull
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
