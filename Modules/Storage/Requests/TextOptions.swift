/// The differences that a comparison or an order of strings ignores.
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

    /// `c`: upper and lower case are the same.
    public static let caseInsensitive = TextOptions(rawValue: 1 << 0)
    /// `d`: letters are the same with and without accents and other marks.
    public static let diacriticInsensitive = TextOptions(rawValue: 1 << 1)
    /// `n`: both sides are prepared for comparison already, and are compared byte for byte whatever the other options.
    public static let normalized = TextOptions(rawValue: 1 << 2)
    /// `l`: by the rules of a language.
    public static let localeSensitive = TextOptions(rawValue: 1 << 3)
    /// `w`: by words.
    public static let wordBased = TextOptions(rawValue: 1 << 4)

    /// Options from bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The option a letter stands for; nil for any other letter.
    public init?(letter: Character) {
        guard let index = Self.letters.firstIndex(of: letter) else { return nil }
        self.init(rawValue: 1 << UInt8(index))
    }

    private static let letters: [Character] = ["c", "d", "n", "l", "w"]
}

extension TextOptions: CustomStringConvertible {
    /// The options as an operator carries them: `[cd]`; empty for none.
    public var description: String {
        let letters = Self.letters.enumerated().filter { contains(Self(rawValue: 1 << UInt8($0.offset))) }.map(
            \.element)
        return letters.isEmpty ? "" : "[\(String(letters))]"
    }
}
