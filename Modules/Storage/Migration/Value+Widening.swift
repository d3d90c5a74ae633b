import Foundation

/// Converts an integer to a double or a decimal, for migrations that widen the type of an attribute.
extension Value {
    /// Returns the value in the kind of a column if the conversion loses nothing; otherwise the value itself.
    package func widened(to kind: ColumnKind) -> Value {
        switch (kind, self) {
        case (.double, .integer(let number)): Double(exactly: number).map { .double($0) } ?? self
        case (.decimal, .integer(let number)): .decimal(Decimal(number))
        default: self
        }
    }
}
