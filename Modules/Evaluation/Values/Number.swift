package import CofferStorage
package import Foundation

/// A number of any type, which compares integers, doubles and decimals without losing digits.
package enum Number: Sendable {
    case integer(Int64)
    case double(Double)
    case decimal(Decimal)

    package init?(_ value: Value) {
        switch value {
        case .boolean(let flag): self = .integer(flag ? 1 : 0)
        case .integer(let number): self = .integer(number)
        case .double(let number): self = .double(number)
        case .decimal(let number): self = .decimal(number)
        default: return nil
        }
    }

    package func compare(_ other: Number) -> ComparisonResult {
        switch (self, other) {
        case (.integer(let a), .integer(let b)): ValueOrdering.order(a, b)
        case (.double(let a), .double(let b)): ValueOrdering.order(a, b)
        case (.decimal(let a), .decimal(let b)): ValueOrdering.order(a, b)
        case (.integer(let a), .double(let b)): Self.compare(a, b)
        case (.double(let a), .integer(let b)): Self.compare(b, a).reversed
        case (.integer(let a), .decimal(let b)): ValueOrdering.order(Decimal(a), b)
        case (.decimal(let a), .integer(let b)): ValueOrdering.order(a, Decimal(b))
        case (.double(let a), .decimal(let b)): Self.compare(b, a).reversed
        case (.decimal(let a), .double(let b)): Self.compare(a, b)
        }
    }

    /// Compares exactly: neither the integer nor a double beyond 2⁵³ is rounded to the type of the other.
    private static func compare(_ a: Int64, _ b: Double) -> ComparisonResult {
        if b >= 9_223_372_036_854_775_808 { return .orderedAscending }
        if b < -9_223_372_036_854_775_808 { return .orderedDescending }
        let whole = b.rounded(.towardZero)
        let integer = Int64(whole)
        if a != integer { return a < integer ? .orderedAscending : .orderedDescending }
        return ValueOrdering.order(0, b - whole)
    }

    private static func compare(_ a: Decimal, _ b: Double) -> ComparisonResult {
        if b.isInfinite { return b > 0 ? .orderedAscending : .orderedDescending }
        if let text = Decimal(string: "\(b)") { return ValueOrdering.order(a, text) }
        return ValueOrdering.order(NSDecimalNumber(decimal: a).doubleValue, b)
    }
}

extension ComparisonResult {
    package var reversed: ComparisonResult {
        switch self {
        case .orderedAscending: .orderedDescending
        case .orderedSame: .orderedSame
        case .orderedDescending: .orderedAscending
        }
    }
}
