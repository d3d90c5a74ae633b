import CofferStorage
import Foundation

/// An expression that is compiled to closures, which read the slots of a row.
struct CompiledExpression: Sendable {
    /// The kind of the values, known without a row; nil for a constant.
    let kind: ColumnKind?
    /// The slot, if the expression is a column of the row itself.
    let slot: Int?
    /// The value, if it is the same for each row.
    let constant: Value?
    let value: @Sendable (Row, any RowSource) -> Value
    let word: @Sendable (Row, any RowSource) -> SortWord

    init(_ expression: RowExpression, in layout: ModelLayout) {
        switch expression {
        case .value(let value):
            self.init(constant: value)
        case .column(let slot, let kind):
            self.init(
                kind: kind, slot: slot,
                value: { row, _ in slot < row.slotCount ? row.value(slot, kind) : .null },
                word: { row, _ in SortWord(row, slot, kind) }
            )
        case .key:
            self.init(kind: .integer, value: { row, _ in .integer(row.key) }, word: { row, _ in SortWord(row.key) })
        case .count(let relationship):
            self.init(
                kind: .integer,
                value: { row, source in .integer(Int64(source.count(relationship, of: row.key))) },
                word: { row, source in SortWord(Int64(source.count(relationship, of: row.key))) }
            )
        case .through(let relationship, let inner):
            let target = CompiledExpression(inner, in: layout)
            guard let step = ToOneStep(relationship, in: layout) else {
                self.init(constant: .null)
                return
            }
            self.init(
                kind: target.kind,
                value: { row, source in step.follow(row, source).map { target.value($0, source) } ?? .null },
                word: { row, source in step.follow(row, source).map { target.word($0, source) } ?? .null }
            )
        case .function, .conditional, .aggregate, .outer:
            self.init(computing: expression, in: layout)
        }
    }

    private init(constant: Value) {
        self.init(kind: nil, constant: constant, value: { _, _ in constant }, word: { _, _ in .null })
    }

    init(
        kind: ColumnKind?, slot: Int? = nil, constant: Value? = nil,
        value: @escaping @Sendable (Row, any RowSource) -> Value,
        word: @escaping @Sendable (Row, any RowSource) -> SortWord
    ) {
        self.kind = kind
        self.slot = slot
        self.constant = constant
        self.value = value
        self.word = word
    }

    /// The sort order of two rows whose words are equal.
    func compareValues(_ left: Row, _ right: Row, _ source: any RowSource) -> ComparisonResult {
        if let slot, kind == .text || kind == .blob, left.holds(slot), right.holds(slot) {
            return left.withBytes(slot) { a in right.withBytes(slot) { b in ByteOrder.compare(a, b) } }
        }
        return ValueOrdering.sortOrder(value(left, source), value(right, source))
    }
}

/// A step through one to-one relationship.
struct ToOneStep: Sendable {
    let slot: Int
    let root: Int

    /// Creates a step; nil if the relationship is not a to-one relationship of the layout.
    init?(_ relationship: Int, in layout: ModelLayout) {
        guard
            layout.relationships.indices.contains(relationship),
            case .reference(let slot, _) = layout.relationships[relationship].storage
        else { return nil }
        self.slot = slot
        root = layout.entities[layout.relationships[relationship].destination].root
    }

    func follow(_ row: Row, _ source: any RowSource) -> Row? {
        row.holds(slot) ? source.row(root: root, key: row.integer(slot)) : nil
    }
}
