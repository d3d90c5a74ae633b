import CofferEvaluation

/// A range from one sort word to another; both words are part of the range.
struct WordRange {
    var lower: SortWord
    var upper: SortWord

    /// All words, including the word of null.
    static let all = WordRange(lower: .null, upper: SortWord(high: .max, low: .max))

    /// The words of all values except null.
    static let values = WordRange(lower: SortWord.null.following ?? .null, upper: all.upper)

    var isSingle: Bool { lower == upper }
    var isEmpty: Bool { upper < lower }

    /// The words that are in both ranges.
    func intersection(_ other: WordRange) -> WordRange {
        WordRange(lower: lower < other.lower ? other.lower : lower, upper: upper < other.upper ? upper : other.upper)
    }

    /// Returns the range without a word at one of its ends and the words beyond it; nil if the range is then empty.
    func without(_ word: SortWord, atLowerEnd: Bool) -> WordRange? {
        var rest = self
        if atLowerEnd {
            guard let next = word.following else { return nil }
            rest.lower = next
        } else {
            guard let next = word.preceding else { return nil }
            rest.upper = next
        }
        return rest.isEmpty ? nil : rest
    }
}

extension WordRange {
    /// The range of one word.
    init(_ word: SortWord) { self.init(lower: word, upper: word) }
}

extension SortWord {
    fileprivate var following: SortWord? {
        if low < .max { return SortWord(high: high, low: low + 1) }
        return high < .max ? SortWord(high: high + 1, low: 0) : nil
    }

    fileprivate var preceding: SortWord? {
        if low > 0 { return SortWord(high: high, low: low - 1) }
        return high > 0 ? SortWord(high: high - 1, low: .max) : nil
    }
}
