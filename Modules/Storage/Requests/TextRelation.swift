/// How two texts must relate, in conditions that regard more than their bytes.
public enum TextRelation: String, Hashable, Sendable, CaseIterable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    /// The second text is somewhere in the first. An empty text is nowhere.
    case contains
    /// The first text begins with the second, which is not empty.
    case beginsWith
    /// The first text ends with the second, which is not empty.
    case endsWith
    /// The whole of the first text is like the second, in which `?` stands for one character (one Unicode scalar), `*`
    /// for any number of them, and `\` takes the meaning from the character after it.
    case like
    /// The whole of the first text matches the second, a regular expression of ICU.
    case matches
}
