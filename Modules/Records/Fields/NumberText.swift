/// Parses a decimal number that is written in ASCII, such as `-12.50e3`.
struct NumberText {
    /// The digits without the zeros at both ends; empty for zero.
    private let digits: [UInt8]
    /// The power of ten of the last digit.
    private let exponent: Int
    private let isNegative: Bool
    /// Whether the number is zero.
    var isZero: Bool { digits.isEmpty }
    /// Whether the number has a sign, a fraction or an exponent.
    let isMarked: Bool

    /// - Returns: nil if the string is not `[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?`.
    init?(_ text: String) {
        var rest = Array(text.utf8)[...]
        let sign = rest.first.flatMap { "+-".utf8.contains($0) ? $0 : nil }
        if sign != nil { rest.removeFirst() }
        let whole = rest.prefix(while: Self.isDigit)
        rest = rest.dropFirst(whole.count)
        var fraction: ArraySlice<UInt8>?
        if rest.first == UInt8(ascii: ".") {
            fraction = rest.dropFirst().prefix(while: Self.isDigit)
            rest = rest.dropFirst(1 + (fraction?.count ?? 0))
        }
        guard !whole.isEmpty || fraction?.isEmpty == false else { return nil }
        var power: Int?
        if let mark = rest.first, "eE".utf8.contains(mark) {
            let text = String(decoding: rest.dropFirst(), as: UTF8.self)
            // No value of an attribute has a greater exponent.
            guard text.utf8.count < 10, let number = Int(text) else { return nil }
            (power, rest) = (number, [])
        }
        guard rest.isEmpty else { return nil }
        let all = (whole + (fraction ?? [])).drop { $0 == UInt8(ascii: "0") }
        let zeros = all.reversed().prefix { $0 == UInt8(ascii: "0") }.count
        digits = Array(all.dropLast(zeros))
        exponent = digits.isEmpty ? 0 : (power ?? 0) - (fraction?.count ?? 0) + zeros
        isNegative = sign == UInt8(ascii: "-") && !digits.isEmpty
        isMarked = sign != nil || fraction != nil || power != nil
    }

    /// Whether both strings are the same number.
    func isEqual(to other: NumberText) -> Bool {
        digits == other.digits && exponent == other.exponent && isNegative == other.isNegative
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
