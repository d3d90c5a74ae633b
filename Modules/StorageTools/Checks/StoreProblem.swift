public import CofferStorage

/// Something that is wrong in a store.
///
/// Values are not shown: a problem tells the place, how many rows have it, and the keys of the first of them.
public struct StoreProblem: Hashable, Sendable, Codable {
    /// What is wrong.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// The file or database is damaged.
        case damage
        /// Rows or links that cannot be read.
        case unreadable
        /// A reference to a row that is not there, or is of an entity it must not lead to.
        case danglingReference
        /// A link to a row that is not there, or is of an entity it must not lead to.
        case danglingLink
        /// A required attribute without a value.
        case missingValue
        /// Rows with equal values in a unique constraint.
        case duplicates
        /// Fewer or more related objects than there may be.
        case relatedCount
        /// A key that would be given to a new row, though a row has it.
        case usedKey
        /// A value that the attribute's type does not have: an integer that is too large, a text that is not UTF-8, or
        /// is no UUID in lower case where the model says that it is one.
        case unfitValue
        /// A key that no store gives: 0, or below it.
        case invalidKey
        /// A version that no row gets: below 1, or so high that the row cannot be changed any more.
        case invalidVersion
    }

    /// What is wrong.
    public let kind: Kind
    /// Where: an entity, or a property of one, `Person.mentor`; empty for the store as a whole.
    public let place: String
    /// How many rows or links have the problem; of duplicates, how many values are there more than once.
    public let count: Int
    /// The keys of the first of them; none where the store cannot tell.
    public let keys: [Int64]
    /// What was said of it by the store itself.
    public let words: String?

    init(_ kind: Kind, _ place: String, count: Int = 1, keys: [Int64] = [], words: String? = nil) {
        self.kind = kind
        self.place = place
        self.count = count
        self.keys = keys
        self.words = words
    }
}

extension StoreProblem: CustomStringConvertible {
    /// The problem in one line.
    public var description: String {
        let what =
            switch kind {
            case .damage: "The store is damaged"
            case .unreadable: "'\(place)' cannot be read"
            case .danglingReference: "'\(place)' leads to no row, \(times)"
            case .danglingLink: "A link of '\(place)' leads to no row, \(times)"
            case .missingValue: "'\(place)' has no value and must have one, \(times)"
            case .duplicates: "'\(place)' must be unique and is not, \(times)"
            case .relatedCount: "'\(place)' leads to fewer or more objects than it may, \(times)"
            case .usedKey: "The next key of '\(place)' is one that a row has"
            case .unfitValue: "'\(place)' holds a value that is none of its type, \(times)"
            case .invalidKey: "'\(place)' has a key that is not positive, \(times)"
            case .invalidVersion: "'\(place)' has a row with a version that is below 1 or cannot rise, \(times)"
            }
        let rows =
            keys.isEmpty
            ? "" : " (key \(keys.map(String.init).joined(separator: ", "))\(count > keys.count ? ", …" : ""))"
        return what + rows + (words.map { ": \($0)" } ?? "") + (words?.hasSuffix(".") == true ? "" : ".")
    }

    private var times: String { count == 1 ? "once" : "\(count) times" }
}

extension StoreProblem {
    /// A store that is so damaged that it cannot be opened.
    public static func damaged(_ error: StorageError) -> StoreProblem {
        StoreProblem(.damage, "", words: error.cause.map { "\(error.message) \($0)" } ?? error.message)
    }
}
