import Foundation

/// The right side of an ``RowPredicate/isIn(_:_:)``: finds an equal value, by ``ValueOrdering``, without trying each.
struct Membership: Sendable {
    /// The numbers of the list that are whole and fit 64 bits, whatever their case.
    let integers: Set<Int64>
    let texts: ByteStrings
    /// The seconds of the dates in the list.
    let dates: Set<Double>
    private let others: [Value]

    init(_ values: [Value]) {
        var integers: Set<Int64> = []
        var texts = ByteStrings(capacity: values.count)
        var dates: Set<Double> = []
        var others: [Value] = []
        for value in values {
            switch value {
            case .null: break
            case .text(var text): text.withUTF8 { _ = texts.insert($0) }
            case .date(let seconds): dates.insert(seconds)
            default:
                if let number = Number(value) {
                    if let whole = Self.whole(number) { integers.insert(whole) } else { others.append(value) }
                } else {
                    others.append(value)
                }
            }
        }
        self.integers = integers
        self.texts = texts
        self.dates = dates
        self.others = others
    }

    func contains(_ value: Value) -> Bool {
        switch value {
        case .null: return false
        case .text(var text): return text.withUTF8 { texts.contains($0) }
        case .date(let seconds): return dates.contains(seconds)
        default:
            if let number = Number(value), let whole = Self.whole(number) { return integers.contains(whole) }
            return others.contains { ValueOrdering.isEqual(value, $0) }
        }
    }

    /// The 64-bit integer a number equals, or nil.
    private static func whole(_ number: Number) -> Int64? {
        switch number {
        case .integer(let number): return number
        case .double(let number): return Int64(exactly: number)
        case .decimal(let number):
            let text = number.description
            return Int64(text)
        }
    }
}
