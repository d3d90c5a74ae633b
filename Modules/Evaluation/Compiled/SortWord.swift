package import CofferStorage
import Foundation

/// A sort key of 16 bytes for a value of a column: null first, then the order of ``ValueOrdering``.
///
/// For all kinds except text, blob and decimal, the words alone determine the order. Strings and blobs are cut after
/// 15 bytes. If two cut values are equal, ``isExact`` is false, and the values themselves must be compared.
package struct SortWord: Hashable, Sendable {
    package var high: UInt64
    package var low: UInt64

    @inlinable
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    package static let null = SortWord(high: 0, low: 0)

    /// The word of each decimal: the values must be compared.
    package static let undecided = SortWord(high: 0, low: 0xFF)

    /// Whether an equal word means an equal value.
    @inlinable
    package var isExact: Bool { low & 0xFF != 0xFF }

    /// The word with the reverse order.
    @inlinable
    package var reversed: SortWord { SortWord(high: ~high, low: ~low) }

    @inlinable
    package static func < (left: SortWord, right: SortWord) -> Bool {
        left.high != right.high ? left.high < right.high : left.low < right.low
    }

    @inlinable
    package init(_ integer: Int64) { self.init(high: UInt64(bitPattern: integer) ^ (1 << 63), low: 1) }

    @inlinable
    package init(_ double: Double) {
        let bits = (double + 0).bitPattern  // adding 0 turns -0 into 0
        self.init(high: bits >> 63 == 0 ? bits | (1 << 63) : ~bits, low: 1)
    }

    package init(_ bytes: UnsafeBufferPointer<UInt8>) {
        var words: (UInt64, UInt64) = (0, 0)
        withUnsafeMutableBytes(of: &words) { words in
            words.copyMemory(from: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes).prefix(15)))
        }
        let tag: UInt64 = bytes.count > 15 ? 0xFF : UInt64(bytes.count + 1)
        self.init(high: words.0.bigEndian, low: words.1.bigEndian & ~0xFF | tag)
    }

    /// The word of a row's slot.
    package init(_ row: Row, _ slot: Int, _ kind: ColumnKind) {
        guard row.holds(slot) else {
            self = .null
            return
        }
        switch kind {
        case .integer, .reference: self.init(row.integer(slot))
        case .double, .date: self.init(row.double(slot))
        case .boolean: self.init(Int64(row.boolean(slot) ? 1 : 0))
        case .text, .blob: self = row.withBytes(slot) { SortWord($0) }
        case .decimal: self = .undecided
        }
    }

    /// Creates the word of a constant, for a search among the words of a column.
    ///
    /// The result is nil if the words of the column's kind cannot represent the constant.
    package init?(_ value: Value, as kind: ColumnKind) {
        switch (kind, value) {
        case (.decimal, _): return nil
        case (_, .null): self = .null
        case (.integer, .integer(let number)), (.reference, .integer(let number)):
            self.init(number)
        case (.double, .double(let number)) where !number.isNaN: self.init(number)
        case (.date, .date(let seconds)) where !seconds.isNaN: self.init(seconds)
        case (.double, .integer(let number)):
            guard let exact = Double(exactly: number) else { return nil }
            self.init(exact)
        case (.boolean, .boolean(let flag)): self.init(Int64(flag ? 1 : 0))
        case (.text, .text(var text)): self = text.withUTF8 { SortWord($0) }
        case (.blob, .blob(let data)): self = data.withUnsafeBytes { SortWord($0.bindMemory(to: UInt8.self)) }
        default: return nil
        }
    }
}
