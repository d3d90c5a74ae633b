/// The relations of two strings that conditions can test, such as `contains`, `like` and `matches`.
public enum TextRelation: String, Hashable, Sendable, CaseIterable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    /// The first string contains the second string, which is not empty.
    case contains
    /// The first string begins with the second string, which is not empty.
    case beginsWith
    /// The first string ends with the second string, which is not empty.
    case endsWith
    /// The whole first string matches the pattern in the second string.
    ///
    /// In the pattern, `?` matches one Unicode scalar, and `*` matches any number of scalars. After `\`, a character
    /// has no special meaning.
    case like
    /// The whole first string matches the second string, which is a regular expression of ICU.
    case matches
}
