/// Parameters of a statement in binary form; only strings can be null.
struct LibPQParameters {
    private var bytes: [UInt8] = []
    private var ranges: [Range<Int>?] = []

    init(_ integers: Int...) {
        for integer in integers { append(integer) }
    }

    @inline(__always)
    private mutating func append(_ write: (inout [UInt8]) -> Void) {
        let start = bytes.count
        write(&bytes)
        ranges.append(start..<bytes.count)
    }

    mutating func append(_ value: Int) { append { $0.appendBigEndian(Int64(value)) } }
    mutating func append(_ value: Double) { append { $0.appendBigEndian(value.bitPattern) } }
    mutating func append(_ value: Bool) { append { $0.append(value ? 1 : 0) } }

    mutating func append(_ value: String?) {
        guard let value else { return ranges.append(nil) }
        append { $0.append(contentsOf: value.utf8) }
    }

    /// Appends a list of numbers of eight bytes as an array.
    mutating func append<Element>(_ elements: [Element], type: UInt32, _ bits: (Element) -> UInt64) {
        append { bytes in
            for number in [1, 0, Int32(type), Int32(elements.count), 1] { bytes.appendBigEndian(number) }
            for element in elements {
                bytes.appendBigEndian(Int32(8))
                bytes.appendBigEndian(bits(element))
            }
        }
    }

    /// Appends a list of values as an array.
    mutating func append<Element>(
        _ elements: [Element], type: UInt32, field: (Element, inout [UInt8]) -> Void
    ) {
        append { bytes in
            for number in [1, 1, Int32(type), Int32(elements.count), 1] { bytes.appendBigEndian(number) }
            for element in elements { field(element, &bytes) }
        }
    }

    @inline(__always)
    func withPointers<Result>(
        _ body: ([UnsafePointer<CChar>?], [Int32], [Int32]) -> Result
    ) -> Result {
        bytes.withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { bytes in
                body(
                    ranges.map { range in range.flatMap { range in bytes.baseAddress.map { $0 + range.lowerBound } } },
                    ranges.map { Int32($0?.count ?? 0) }, [Int32](repeating: 1, count: ranges.count))
            }
        }
    }
}

extension [UInt8] {
    @inline(__always)
    mutating func appendBigEndian(_ number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }

    /// Appends a field of `COPY`: its length and its bytes.
    @inline(__always)
    mutating func appendField(_ value: Int) {
        appendBigEndian(Int32(8))
        appendBigEndian(Int64(value))
    }

    @inline(__always)
    mutating func appendField(_ value: Double) {
        appendBigEndian(Int32(8))
        appendBigEndian(value.bitPattern)
    }

    @inline(__always)
    mutating func appendField(_ value: String?) {
        guard let value else { return appendBigEndian(Int32(-1)) }
        appendBigEndian(Int32(value.utf8.count))
        append(contentsOf: value.utf8)
    }
}
