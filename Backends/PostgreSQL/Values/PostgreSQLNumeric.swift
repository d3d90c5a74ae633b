import Foundation

/// Encodes and decodes decimals in the binary format of `numeric`.
enum PostgreSQLNumeric {
    /// A sign that the server does not know.
    private static let noSign: Int16 = -1

    /// The powers of ten by which the significand of a decimal may be multiplied.
    private static let exponents = -128...127

    /// Appends a decimal.
    ///
    /// If the decimal is not a number, the bytes are bytes that the server refuses, because the server would store
    /// its own NaN.
    static func append(_ decimal: Decimal, to bytes: inout [UInt8]) {
        if decimal.isNaN {
            for word in [0, 0, noSign, 0] { bytes.append(bigEndian: word) }
            return
        }
        let text = Array("\(decimal)".utf8)
        let isNegative = text.first == 45
        let unsigned = text.drop { $0 == 45 }
        let whole = unsigned.prefix { $0 != 46 }
        let fraction = unsigned.dropFirst(whole.count + 1)
        let scale = fraction.count
        let padding = [UInt8](repeating: 48, count: (4 - whole.count % 4) % 4)
        var digits = padding + whole + fraction
        digits += [UInt8](repeating: 48, count: (4 - fraction.count % 4) % 4)
        var groups = stride(from: 0, to: digits.count, by: 4).map { start in
            digits[start..<start + 4].reduce(0 as Int16) { $0 * 10 + Int16($1 - 48) }
        }
        var weight = (padding.count + whole.count) / 4 - 1
        while groups.first == 0 {
            groups.removeFirst()
            weight -= 1
        }
        while groups.last == 0 { groups.removeLast() }
        bytes.append(bigEndian: Int16(groups.count))
        bytes.append(bigEndian: Int16(groups.isEmpty ? 0 : weight))
        bytes.append(bigEndian: isNegative ? 0x4000 as Int16 : 0)
        bytes.append(bigEndian: Int16(scale))
        for group in groups { bytes.append(bigEndian: group) }
    }

    /// Returns the decimal of some bytes; nil if it has too many digits for an exact decimal, or is not finite.
    static func decimal(_ bytes: UnsafeRawBufferPointer) -> Decimal? {
        guard bytes.count >= 8 else { return nil }
        func word(_ index: Int) -> Int {
            Int(Int16(bigEndian: bytes.loadUnaligned(fromByteOffset: index * 2, as: Int16.self)))
        }
        let (count, weight, sign) = (word(0), word(1), word(2) & 0xFFFF)
        guard sign == 0 || sign == 0x4000, count >= 0, bytes.count >= 8 + count * 2 else { return nil }
        guard (0..<count).allSatisfy({ 0..<10_000 ~= word(4 + $0) }) else { return nil }
        if count == 0 { return 0 }
        let exponent = (weight - count + 1) * 4
        if count <= 4 {
            var significand = (0..<count).reduce(0 as UInt64) { $0 * 10_000 + UInt64(word(4 + $1)) }
            var power = exponent
            while significand > 0, significand.isMultiple(of: 10) {
                significand /= 10
                power += 1
            }
            if exponents.contains(power) {
                return Decimal(sign: sign == 0 ? .plus : .minus, exponent: power, significand: Decimal(significand))
            }
        }
        var digits = (0..<count).map { index in
            let group = "\(word(4 + index))"
            return String(repeating: "0", count: 4 - group.count) + group
        }.joined(separator: "").drop { $0 == "0" }
        var power = exponent
        while digits.last == "0" {
            digits.removeLast()
            power += 1
        }
        // Foundation represents 1e130 as 1,000 times 1e127.
        while power > exponents.upperBound, digits.count < 38 {
            digits.append("0")
            power -= 1
        }
        guard exponents.contains(power), digits.count <= 39,
            let decimal = Decimal(string: "\(sign == 0 ? "" : "-")\(digits)e\(power)")
        else {
            return nil
        }
        // Foundation drops a digit that does not fit, without an error.
        let kept = "\(decimal)".filter { $0 != "-" && $0 != "." }.drop { $0 == "0" }
        let trimmed = kept.reversed().drop { $0 == "0" }.reversed()
        return trimmed.elementsEqual(digits.reversed().drop { $0 == "0" }.reversed()) ? decimal : nil
    }
}

extension [UInt8] {
    /// Appends an integer in the byte order of the protocol.
    @inline(__always)
    mutating func append(bigEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }
}
