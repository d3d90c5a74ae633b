import CofferEvaluation
import CofferStorage
import Foundation

/// Hashes and compares the value in a slot of a row without copying it.
extension UnsafeRawBufferPointer {
    fileprivate var contentHash: Int {
        var hasher = Hasher()
        hasher.combine(bytes: self)
        return hasher.finalize()
    }
}

extension Row {
    /// Returns a hash of the value in a slot that is not null, equal to the `rowHash` of an equal ``Value``.
    func valueHash(_ slot: Int, _ kind: ColumnKind) -> Int {
        guard kind == .text || kind == .blob else { return value(slot, kind).hashValue }
        // Bytes that are not valid UTF-8 are read as another string, so only ASCII bytes are hashed directly.
        let hash = withBytes(slot) { bytes in
            kind == .blob || bytes.isASCII ? UnsafeRawBufferPointer(bytes).contentHash : nil
        }
        return hash ?? value(slot, kind).hashValue
    }

    /// Whether a slot that is not null contains a value.
    func hasValue(_ value: Value, _ slot: Int, _ kind: ColumnKind) -> Bool {
        if kind == .text, case .text(var text) = value {
            let isSame = text.withUTF8 { text in
                withBytes(slot) { bytes in
                    guard bytes.count == text.count else { return false }
                    guard let first = bytes.baseAddress, let other = text.baseAddress else { return true }
                    return memcmp(first, other, bytes.count) == 0
                }
            }
            if isSame { return true }
        }
        return self.value(slot, kind) == value
    }
}

extension Value {
    /// A hash that a row can compute without copying a string or a blob.
    var rowHash: Int {
        // The hash of a string is computed from its bytes already.
        if case .blob(let blob) = self { blob.withUnsafeBytes(\.contentHash) } else { hashValue }
    }
}
