import Foundation

/// Converts an integer to a double or a decimal, for migrations that widen the type of an attribute.
extension Value {
    /// The value as a column of a kind keeps it, where that is possible without loss; otherwise as it is.
    package func widened(to kind: ColumnKind) -> Value {
        switch (kind, self) {
        case (.double, .integer(let number)): Double(exactly: number).map { .double($0) } ?? self
        case (.decimal, .integer(let number)): .decimal(Decimal(number))
        default: self
        }
    }
}
