import Foundation
import TestSupport

/// A generator of nearly correct format strings, which damages and joins correct ones.
struct FormatMutator {
    /// The object with which the parsed conditions are evaluated.
    static let object: [String: any Sendable] = [
        "a": 1, "name": "Ann", "pets": [["age": 3], ["age": 4]] as [[String: Int]], "price": 1.5,
    ]

    /// Arguments for most of the format strings.
    let arguments: [Any] = ["a", 1, "name", 2.5, ["x", "y"], Date(timeIntervalSinceReferenceDate: 0), true, NSNull()]

    private static let seeds = [
        "name BEGINSWITH[cd] %@ AND SUBQUERY(pets, $p, $p.age > %d).@count > 2",
        "ANY pets.age BETWEEN {1, 3} OR NOT (name LIKE 'a*?' AND price != nil)", "%K IN %@ && $x == TRUE",
        "TERNARY(a == 1, 'x', \"y\") == CAST(b, 'NSNumber')", "FUNCTION(a, 'pow:' , 3) == 0x1F + 1.5e3 ** -2",
        "max:({1, 2, {3}}[LAST]) <= modulus:by:(17, 5) | 3 ^ ~1 & 2 << 4", "@sum.items.price => a.#size[FIRST]",
        "type UTI-CONFORMS-TO 'public.image' OR NONE a[SIZE] == {}", "($x := 1) UNION {2} MINUS b == '\\u00e9\\n%%'",
        "name MATCHES '[a-z]+' AND ALL pets.@distinctUnionOfObjects.age =< 4 / 2 - 1", "self isKindOfClass: %@",
    ]

    private static let pieces = [
        "(", ")", "{", "}", "[", "]", "'", "\"", "\\", "%", "%@", "%K", "%d", "$", "$x", "@", "@count", "#", ".", ",",
        "+", "-",
        "**", "*", "/", "<<", "!=", "=", "==", "&&", "||", "!", ":=", ":", " AND ", " OR ", " NOT ", " ANY ", " IN ",
        "LIKE[c]",
        "[cd]", "nil", "SELF", "TRUE", "0x", "1e", "1.", "9223372036854775808", "SUBQUERY(", "CAST(", "TERNARY(",
        "FIRST",
        "\u{0}", "é", "e\u{301}", "\u{a0}", "😀", "\n", "\\u12", "\\777", "UTI-", "sum:(", "now()",
    ]

    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    mutating func next() -> String {
        var scalars = Array(pick(Self.seeds).unicodeScalars)
        for _ in 0..<below(6) {
            let place = below(scalars.count + 1)
            switch below(5) {
            case 0: scalars.insert(contentsOf: pick(Self.pieces).unicodeScalars, at: place)
            case 1: scalars.removeSubrange(place..<min(scalars.count, place + 1 + below(4)))
            case 2: scalars = scalars[..<place] + Array(pick(Self.seeds).unicodeScalars.dropFirst(below(30)))
            case 3:
                let end = min(scalars.count, place + below(20))
                scalars.insert(contentsOf: scalars[place..<end], at: below(scalars.count + 1))
            default:
                let piece = Array(repeating: pick(Self.pieces), count: 1 + below(40)).joined()
                scalars.insert(contentsOf: piece.unicodeScalars, at: place)
            }
        }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }

    private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

    private mutating func pick(_ texts: [String]) -> String { texts[below(texts.count)] }
}
