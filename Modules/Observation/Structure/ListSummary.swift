/// The summary of a part of a list: the number of its entries, and the number of runs of entries with the same section.
struct ListSummary: Sendable {
    private(set) var count = 0
    private(set) var runs = 0
    private var first: SectionName?
    private(set) var last: SectionName?

    /// Adds an entry at the end.
    mutating func append(_ section: SectionName?) {
        if count == 0 { first = section }
        if count == 0 || section !== last { runs += 1 }
        last = section
        count += 1
    }

    /// Adds the part that follows.
    mutating func append(_ next: ListSummary) {
        guard next.count > 0 else { return }
        if count == 0 { return self = next }
        runs += next.runs - (last === next.first ? 1 : 0)
        count += next.count
        last = next.last
    }
}
