package import CofferStorage

extension ValueFunction {
    /// Whether values of a kind may be arguments.
    package func takes(_ kind: ColumnKind) -> Bool {
        switch kind {
        case .text: isForText
        case .integer, .boolean: !isForText
        case .double, .decimal: !isForText && !isForIntegers
        case .date, .blob, .reference: false
        }
    }
}
