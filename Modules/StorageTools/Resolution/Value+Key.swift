import CofferEvaluation
package import CofferStorage

/// Converts a value to an equal value of the kind of a column, such as 2.0 to 2, for lookups by value.
extension Value {
    /// Returns the equal value in the kind of a column; nil if it is not known.
    package func key(_ kind: ColumnKind) -> Value? {
        guard kind != .reference, self.kind != .boolean || kind == .boolean else { return nil }
        if self.kind == kind { return self }
        guard let number = Number(self) else { return nil }
        return switch kind {
        case .integer: number.exactInteger.map { .integer($0) }
        case .double: number.exactDouble.map { .double($0) }
        case .decimal: number.exactDecimal.map { .decimal($0) }
        case .boolean, .date, .text, .blob, .reference: nil
        }
    }
}
