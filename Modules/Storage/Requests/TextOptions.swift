/// The options of string conditions and orders, with their letters, such as `[cd]`: case, diacritics, language, words.
///
/// ```swift
/// From<Person>().where { $0.$name.equals("ann", options: [.caseInsensitive, .diacriticInsensitive]) }
/// From<Person>().orderBy(.ascending(\.$name, options: .caseInsensitive))
/// ```
///
/// Format strings have the same options: `name BEGINSWITH[cd] "an"`. Without options, strings are compared by their
/// bytes. The options that depend on a language, `localeSensitive` and `wordBased`, make a request throw
/// `invalidRequest`.
public struct TextOptions: OptionSet, Hashable, Sendable {
    /// The options as bits.
    public let rawValue: UInt8

    /// `c`: upper and lower case are equal.
    public static let caseInsensitive = TextOptions(rawValue: 1 << 0)
    /// `d`: letters with and without accents and other marks are equal.
    public static let diacriticInsensitive = TextOptions(rawValue: 1 << 1)
    /// `n`: both strings are normalised already, and are compared by their bytes, also if there are other options.
    public static let normalized = TextOptions(rawValue: 1 << 2)
    /// `l`: the comparison follows the rules of a language.
    public static let localeSensitive = TextOptions(rawValue: 1 << 3)
    /// `w`: the comparison finds whole words.
    public static let wordBased = TextOptions(rawValue: 1 << 4)

    /// Options from bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Creates the option of a letter; nil for an unknown letter.
    public init?(letter: Character) {
        guard let index = Self.letters.firstIndex(of: letter) else { return nil }
        self.init(rawValue: 1 << UInt8(index))
    }

    private static let letters: [Character] = ["c", "d", "n", "l", "w"]
}

extension TextOptions: CustomStringConvertible {
    /// The options in the form that follows an operator, such as `[cd]`; empty if there are no options.
    public var description: String {
        let letters = Self.letters.enumerated().filter { contains(Self(rawValue: 1 << UInt8($0.offset))) }.map(
            \.element)
        return letters.isEmpty ? "" : "[\(String(letters))]"
    }
}
