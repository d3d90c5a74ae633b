package import CofferStorage
import Foundation

/// Compiles the right side of a string condition; refuses a `MATCHES` pattern that is no regular expression.
package struct TextPattern: Sendable {
    private enum Method {
        case compare(RowPredicate.Comparison, [UInt8])
        case contains([UInt8])
        case beginsWith([UInt8])
        case endsWith([UInt8])
        case like(LikePattern)
        case matches(WholeMatch)
    }

    private let options: TextOptions
    private let method: Method

    /// - Throws: `invalidRequest` if the relation requires a regular expression and the string is not a valid one.
    package init(_ relation: TextRelation, _ pattern: String, _ options: TextOptions) throws(StorageError) {
        self.options = options
        let folded = { TextFolding.fold(pattern, options) }
        switch relation {
        case .contains: method = .contains(folded())
        case .beginsWith: method = .beginsWith(folded())
        case .endsWith: method = .endsWith(folded())
        case .like: method = .like(LikePattern(pattern, options))
        case .matches: method = .matches(try WholeMatch(pattern, options))
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
            method = .compare(RowPredicate.Comparison(rawValue: relation.rawValue) ?? .equal, folded())
        }
    }

    /// Whether the relation holds for a string and this string.
    package func holds(_ text: String) -> Bool {
        var text = text
        return text.withUTF8(holds)
    }

    /// Whether the relation holds for a string, given by its UTF-8 bytes, and this string.
    package func holds(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        if case .matches(let match) = method { return match.holds(bytes) }
        return TextFolding.withFolded(bytes, options) { text in
            switch method {
            case .compare(let comparison, let other):
                other.withUnsafeBufferPointer { comparison.holds(ByteOrder.compare(text, $0)) }
            case .contains(let part): part.withUnsafeBufferPointer { text.contains($0) }
            case .beginsWith(let part): !part.isEmpty && text.starts(with: part)
            case .endsWith(let part):
                !part.isEmpty && text.count >= part.count && text.suffix(part.count).elementsEqual(part)
            case .like(let pattern): pattern.holds(text)
            case .matches: false
            }
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether the bytes contain other bytes, of which there is at least one.
    fileprivate func contains(_ part: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = part.first, let needle = part.baseAddress, let base = baseAddress else { return false }
        var start = 0
        while start + part.count <= count {
            guard let found = memchr(base + start, Int32(first), count - part.count - start + 1) else { return false }
            start = UnsafeRawPointer(found) - UnsafeRawPointer(base)
            if memcmp(base + start, needle, part.count) == 0 { return true }
            start += 1
        }
        return false
    }
}

/// A regular expression that must match a whole string.
private struct WholeMatch: Sendable {
    let expression: NSRegularExpression
    let isWhole: Bool
    let options: TextOptions

    init(_ pattern: String, _ options: TextOptions) throws(StorageError) {
        let ignoresCase = TextFolding.applies(options) && options.contains(.caseInsensitive)
        let marks = options.subtracting(.caseInsensitive)
        self.options = marks
        // `NSRegularExpression` refuses an empty pattern, although it matches the empty string.
        let text = pattern.isEmpty ? "(?:)" : String(decoding: TextFolding.fold(pattern, marks), as: UTF8.self)
        let flags: NSRegularExpression.Options = ignoresCase ? .caseInsensitive : []
        guard let bare = try? NSRegularExpression(pattern: text, options: flags) else {
            throw .invalidRequest("The right side of MATCHES is not a regular expression.")
        }
        let whole = try? NSRegularExpression(pattern: "\\A(?:\(text))\\z", options: flags)
        expression = whole ?? bare
        isWhole = whole != nil
    }

    func holds(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let text = TextFolding.withFolded(bytes, options) { String(decoding: $0, as: UTF8.self) }
        let range = NSRange(location: 0, length: text.utf16.count)
        guard let match = expression.firstMatch(in: text, options: .anchored, range: range) else { return false }
        return isWhole || match.range == range
    }
}
