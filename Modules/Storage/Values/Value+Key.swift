import Foundation

extension Value {
    /// The equal value as a column of a kind keeps it; nil where that is not known.
    package func key(_ kind: ColumnKind) -> Value? {
        switch (kind, self) {
        case (.integer, .integer), (.double, .double), (.decimal, .decimal), (.boolean, .boolean), (.text, .text),
            (.blob, .blob), (.date, .date):
            self
        case (.integer, .double(let number)): Int64(exactly: number).map { .integer($0) }
        case (.double, .integer(let number)): Double(exactly: number).map { .double($0) }
        case (.decimal, .integer(let number)): .decimal(.init(number))
        default: nil
        }
    }
}
