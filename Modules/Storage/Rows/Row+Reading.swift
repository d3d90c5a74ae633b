public import Foundation

/// Reads the values in the slots of a row.
///
/// Each method is for slots of its own kind. For a slot that is null, the result is zero or empty.
extension Row {
    /// Calls the closure with the header and the words of the row, which are valid during the call.
    @inlinable
    @inline(__always)
    func reading<Result>(
        _ body: (_ header: UnsafeMutablePointer<RowHeader>, _ words: UnsafeMutablePointer<UInt64>) -> Result
    ) -> Result {
        withExtendedLifetime(memory) { body(start, start.words) }
    }

    /// Whether a slot is null.
    @inlinable
    public func isNull(_ slot: Int) -> Bool { reading { $1[slot >> 6] & (1 << UInt64(slot & 63)) != 0 } }

    @inlinable
    package func word(_ slot: Int) -> UInt64 { reading { $1[$0.pointee.nullWords + slot] } }

    /// The value of an `integer` or `reference` slot.
    @inlinable
    public func integer(_ slot: Int) -> Int64 { Int64(bitPattern: word(slot)) }

    /// The double in a slot that is not null: a number, or the seconds of a date.
    @inlinable
    public func double(_ slot: Int) -> Double { Double(bitPattern: word(slot)) }

    /// The boolean in a slot that is not null.
    @inlinable
    public func boolean(_ slot: Int) -> Bool { word(slot) != 0 }

    /// The string in a slot that is not null.
    @inlinable
    public func text(_ slot: Int) -> String { withBytes(slot) { String(decoding: $0, as: UTF8.self) } }

    /// The bytes in a slot that is not null.
    @inlinable
    public func blob(_ slot: Int) -> Data { withBytes(slot) { Data($0) } }

    /// The decimal in a slot that is not null.
    public func decimal(_ slot: Int) -> Decimal {
        withBytes(slot) { bytes in
            guard bytes.count >= MemoryLayout<Decimal>.size else { return Decimal() }
            return UnsafeRawBufferPointer(bytes).loadUnaligned(as: Decimal.self)
        }
    }

    /// The bytes of a `text` or `blob` slot, valid during the call only.
    @inlinable
    public func withBytes<Result>(_ slot: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        reading { header, words in
            let nullWords = header.pointee.nullWords
            let word = words[nullWords + slot]
            let tail = UnsafeRawPointer(words + nullWords + Int(header.pointee.slotCount))
                .assumingMemoryBound(to: UInt8.self)
            let bytes = UnsafeBufferPointer(start: tail + Int(word & 0xFFFF_FFFF), count: Int(word >> 32))
            return body(bytes)
        }
    }

    /// The value of a slot of the given kind.
    ///
    /// - Parameter reference: converts the key of a `reference` slot to a value; by default, the value is the key
    ///   itself.
    public func value(
        _ slot: Int, _ kind: ColumnKind, reference: (Int64) -> Value = { .integer($0) }
    ) -> Value {
        if isNull(slot) { return .null }
        return switch kind {
        case .integer: .integer(integer(slot))
        case .double: .double(double(slot))
        case .decimal: .decimal(decimal(slot))
        case .boolean: .boolean(boolean(slot))
        case .date: .date(double(slot))
        case .text: .text(text(slot))
        case .blob: .blob(blob(slot))
        case .reference: reference(integer(slot))
        }
    }
}
