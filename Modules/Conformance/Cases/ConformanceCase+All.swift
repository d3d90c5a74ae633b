/// Lists all cases of the conformance suite, and selects cases by the variable `COFFER_CASE`.
extension ConformanceCase {
    /// All cases, or the cases that the environment variable `COFFER_CASE` selects.
    ///
    /// `COFFER_CASE` contains patterns, separated by commas. In a pattern, `*` stands for any string:
    /// `commits/*,values/text`.
    public static let all: [ConformanceCase] = {
        guard let patterns = Settings.patterns else { return everything }
        return everything.filter { one in patterns.contains { $0.matches(one.id) } }
    }()

    static let everything: [ConformanceCase] =
        values + predicates + computing + fetching + querying + relationships + places + commits + conditions + merging
        + mergedMembers + mergedBatches + policies + isolation + errors + durability + migration + loading
}
