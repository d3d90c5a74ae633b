public import CofferStorage

/// A problem that a check of a store finds: its kind, its message, the number of rows and some of their keys.
///
/// A problem contains no values. It has a place, the number of affected rows, and the keys of the first of these rows.
public struct StoreProblem: Hashable, Sendable, Codable {
    /// The kinds of problems.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// The file or database is damaged.
        case damage
        /// Rows or links that cannot be read.
        case unreadable
        /// A reference to a missing row, or to a row of an entity that the relationship does not allow.
        case danglingReference
        /// A link to a missing row, or to a row of an entity that the relationship does not allow.
        case danglingLink
        /// A required attribute without a value.
        case missingValue
        /// Rows with equal values in a unique constraint.
        case duplicates
        /// Fewer or more related objects than the relationship allows.
        case relatedCount
        /// The next key for a new row, if a row already has this key.
        case usedKey
        /// A value that does not belong to the type of its attribute.
        ///
        /// Such a value is an integer that is too large, a string that is not UTF-8, or a string that is not a UUID in
        /// lower case although the model requires one.
        case unfitValue
        /// A key that no store creates, because it is not positive.
        case invalidKey
        /// A version that no row gets: a version below 1, or a version so high that the row cannot be changed any more.
        case invalidVersion
    }

    /// The kind of the problem.
    public let kind: Kind
    /// The place: an entity, or a property such as `Person.mentor`; empty for the store as a whole.
    public let place: String
    /// The number of rows or links with the problem; for duplicates, the number of values that occur more than once.
    public internal(set) var count = 1
    /// The keys of the first of these rows; none if the store cannot determine them.
    public internal(set) var keys: [Int64] = []
    /// The message of the store about the problem.
    public internal(set) var words: String?
}

extension StoreProblem: CustomStringConvertible {
    /// The problem in one line.
    public var description: String {
        let what =
            switch kind {
            case .damage: "The store is damaged"
            case .unreadable: "'\(place)' cannot be read"
            case .danglingReference: "'\(place)' refers to a missing or wrong row, \(times)"
            case .danglingLink: "A link of '\(place)' refers to a missing or wrong row, \(times)"
            case .missingValue: "'\(place)' has no value but requires one, \(times)"
            case .duplicates: "'\(place)' must be unique but is not, \(times)"
            case .relatedCount: "'\(place)' has too few or too many related objects, \(times)"
            case .usedKey: "The next key of '\(place)' is already the key of a row"
            case .unfitValue: "'\(place)' has a value that does not fit its type, \(times)"
            case .invalidKey: "'\(place)' has a key that is not positive, \(times)"
            case .invalidVersion: "'\(place)' has a row with a version that is below 1 or cannot increase, \(times)"
            }
        let rows =
            keys.isEmpty
            ? "" : " (key \(keys.map(String.init).joined(separator: ", "))\(count > keys.count ? ", …" : ""))"
        return what + rows + (words.map { ": \($0)" } ?? "") + (words?.hasSuffix(".") == true ? "" : ".")
    }

    private var times: String { count == 1 ? "once" : "\(count) times" }
}

extension StoreProblem {
    /// The problem of a store that is too damaged to be opened.
    public static func damaged(_ error: StorageError) -> StoreProblem {
        StoreProblem(kind: .damage, place: "", words: error.cause.map { "\(error.message) \($0)" } ?? error.message)
    }
}
