extension ConformanceCase {
    /// Every case, or those that the environment variable `COFFER_CASE` picks.
    ///
    /// `COFFER_CASE` holds patterns separated by commas, in which `*` stands for any text: `commits/*,values/text`.
    public static let all: [ConformanceCase] = {
        guard let patterns = Settings.patterns else { return everything }
        return everything.filter { one in patterns.contains { $0.matches(one.id) } }
    }()

    static let everything: [ConformanceCase] =
        values + predicates + computing + fetching + querying + relationships + places + commits + conditions + merging
        + mergedMembers + policies + isolation + errors + durability + migration + loading
}
