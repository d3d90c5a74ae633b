package import CofferStorage
import Foundation

/// Folds strings: removes the differences in case and diacritics that `TextOptions` ignores.
///
/// The UTF-8 bytes of the results are compared.
///
/// - `c` maps each character by Unicode's simple case mappings, first to upper case, then to lower case, so `Σ`, `σ`
///   and `ς` are equal. No character becomes two characters, and no language has special rules.
/// - `d` decomposes each character, and removes nonspacing marks.
package enum TextFolding {
    /// Whether the options require folding.
    package static func applies(_ options: TextOptions) -> Bool {
        !options.contains(.normalized) && !options.isDisjoint(with: [.caseInsensitive, .diacriticInsensitive])
    }

    /// Returns the bytes of the folded string.
    package static func fold(_ text: String, _ options: TextOptions) -> [UInt8] {
        var text = text
        return text.withUTF8 { withFolded($0, options) { Array($0) } }
    }

    /// Calls the body with the bytes of a folded string.
    package static func withFolded<Result>(
        _ bytes: UnsafeBufferPointer<UInt8>, _ options: TextOptions, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        guard applies(options) else { return body(bytes) }
        guard bytes.isASCII else { return foldSlowly(bytes, options).withUnsafeBufferPointer(body) }
        guard options.contains(.caseInsensitive) else { return body(bytes) }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bytes.count) { folded in
            for index in bytes.indices {
                let byte = bytes[index]
                folded[index] = byte &- 65 < 26 ? byte | 32 : byte
            }
            return body(UnsafeBufferPointer(folded))
        }
    }

    /// Returns the folded form of one character.
    package static func fold(_ scalar: Unicode.Scalar, _ options: TextOptions) -> [Unicode.Scalar] {
        guard applies(options) else { return [scalar] }
        let isDiacriticInsensitive = options.contains(.diacriticInsensitive)
        let base = isDiacriticInsensitive ? stripped(scalar) : [scalar]
        return options.contains(.caseInsensitive) ? base.map(lowered) : base
    }

    private static func foldSlowly(_ bytes: UnsafeBufferPointer<UInt8>, _ options: TextOptions) -> [UInt8] {
        let table = tables[Int((options.rawValue & 3) - 1)]
        var folded: [UInt8] = []
        folded.reserveCapacity(bytes.count)
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            if scalar.value < tableSize {
                folded.append(contentsOf: table[Int(scalar.value)])
            } else {
                for part in fold(scalar, options) { folded.append(contentsOf: UTF8.encode(part) ?? .init()) }
            }
        }
        return folded
    }

    private static func stripped(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        // Syllables of Hangul decompose into letters, none of which is a mark.
        if scalar.value < 0x80 || 0xAC00...0xD7A3 ~= scalar.value { return [scalar] }
        return String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars
            .filter { $0.properties.generalCategory != .nonspacingMark }
    }

    private static func lowered(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        if scalar == "ı" { return scalar }
        let upper = single(scalar, scalar.properties.uppercaseMapping)
        return single(upper, upper.properties.lowercaseMapping)
    }

    /// The single character of a mapping; if the mapping has several characters, the character itself.
    private static func single(_ scalar: Unicode.Scalar, _ mapping: String) -> Unicode.Scalar {
        let scalars = mapping.unicodeScalars
        guard let first = scalars.first, scalars.count == 1 else { return scalar }
        return first
    }

    /// The size of the table of Latin, Greek, Cyrillic and Armenian letters, which is folded in advance.
    private static let tableSize: UInt32 = 0x590

    private static let tables: [[[UInt8]]] = (1...3).map { options in
        (0..<tableSize).map { value in
            Unicode.Scalar(value).map { scalar in
                fold(scalar, TextOptions(rawValue: UInt8(options))).flatMap { UTF8.encode($0).map(Array.init) ?? [] }
            } ?? []
        }
    }
}
