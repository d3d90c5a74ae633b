package import CofferStorage

/// Returns the kind of column for a value.
extension Value {
    /// The kind of column for the value; nil for null.
    package var kind: ColumnKind? {
        switch self {
        case .null: nil
        case .boolean: .boolean
        case .integer: .integer
        case .double: .double
        case .decimal: .decimal
        case .text: .text
        case .blob: .blob
        case .date: .date
        case .object: .reference
        }
    }
}

extension ColumnKind {
    /// Whether values of this kind are numbers; booleans count as 0 and 1.
    package var isNumeric: Bool {
        switch self {
        case .integer, .double, .decimal, .boolean: true
        case .date, .text, .blob, .reference: false
        }
    }
}
