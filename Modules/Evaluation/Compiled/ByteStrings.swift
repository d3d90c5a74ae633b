import CofferStorage
import Foundation

/// A hash set of byte strings, which finds a string without creating a `String`.
///
/// Each byte string has the number of its insertion.
struct ByteStrings: Sendable {
    private var bytes: [UInt8] = []
    private var ends: [Int] = [0]
    private var hashes: [UInt64] = []
    private var table: [Int32]

    init(capacity: Int = 0) {
        var size = 16
        while size < capacity * 2 { size *= 2 }
        table = Array(repeating: -1, count: size)
    }

    var count: Int { hashes.count }

    func contains(_ string: UnsafeBufferPointer<UInt8>) -> Bool {
        !isEmpty && find(string, ByteHash.hash(string)).number >= 0
    }

    private var isEmpty: Bool { hashes.isEmpty }

    /// Returns the number of the string, and adds it if it is new.
    mutating func insert(_ string: UnsafeBufferPointer<UInt8>) -> Int {
        let hash = ByteHash.hash(string)
        let (place, number) = find(string, hash)
        if number >= 0 { return number }
        table[place] = Int32(truncatingIfNeeded: count)
        bytes.append(contentsOf: string)
        ends.append(bytes.count)
        hashes.append(hash)
        if count * 2 > table.count { grow() }
        return count - 1
    }

    private func find(_ string: UnsafeBufferPointer<UInt8>, _ hash: UInt64) -> (place: Int, number: Int) {
        let mask = table.count - 1
        var place = Int(truncatingIfNeeded: hash) & mask
        while table[place] >= 0 {
            let number = Int(table[place])
            if hashes[number] == hash, isEqual(number, string) { return (place, number) }
            place = (place + 1) & mask
        }
        return (place, -1)
    }

    private func isEqual(_ number: Int, _ string: UnsafeBufferPointer<UInt8>) -> Bool {
        let range = ends[number]..<ends[number + 1]
        guard range.count == string.count else { return false }
        return bytes.withUnsafeBufferPointer {
            ByteOrder.compare(UnsafeBufferPointer(rebasing: $0[range]), string) == .orderedSame
        }
    }

    private mutating func grow() {
        table = Array(repeating: -1, count: table.count * 2)
        let mask = table.count - 1
        for (number, hash) in hashes.enumerated() {
            var place = Int(truncatingIfNeeded: hash) & mask
            while table[place] >= 0 { place = (place + 1) & mask }
            table[place] = Int32(truncatingIfNeeded: number)
        }
    }
}

/// A fast hash of bytes and words.
///
/// Each process has its own seed. This is the only protection against hostile input.
package enum ByteHash {
    private static let seed = UInt64.random(in: .min ... .max)

    package static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var state = seed ^ UInt64(bytes.count)
        var rest = UnsafeRawBufferPointer(bytes)
        while rest.count >= 8 {
            state = mix(state ^ rest.loadUnaligned(as: UInt64.self))
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(8))
        }
        if rest.count >= 4 {
            state = mix(state ^ UInt64(rest.loadUnaligned(as: UInt32.self)))
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(4))
        }
        var tail: UInt64 = 0
        for byte in rest { tail = tail << 8 | UInt64(byte) }
        return mix(state ^ tail)
    }

    package static func hash(_ word: UInt64) -> UInt64 { mix(seed ^ word) }

    package static func combine(_ hash: UInt64, _ other: UInt64) -> UInt64 { mix(hash ^ other) }

    @inline(__always)
    private static func mix(_ word: UInt64) -> UInt64 {
        let product = word.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return (product.high ^ product.low) &+ 0xD6E8_FEB8_6659_FD93
    }
}
