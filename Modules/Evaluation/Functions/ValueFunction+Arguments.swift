package import CofferStorage

/// Decides which kinds of arguments a function accepts.
extension ValueFunction {
    /// Whether the function accepts values of a kind as arguments.
    package func takes(_ kind: ColumnKind) -> Bool {
        switch kind {
        case .text: isForText
        case .integer, .boolean: !isForText
        case .double, .decimal: !isForText && !isForIntegers
        case .date, .blob, .reference: false
        }
    }
}
