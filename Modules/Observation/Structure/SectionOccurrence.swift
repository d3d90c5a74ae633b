/// A section's name, and how many sections before it have the same one.
struct SectionOccurrence: Hashable {
    let name: String
    let number: Int

    /// The occurrences of sections with some names, in the order of the sections.
    static func all(_ names: [String]) -> [SectionOccurrence] {
        var counts: [String: Int] = [:]
        return names.map { name in
            defer { counts[name, default: 0] += 1 }
            return SectionOccurrence(name: name, number: counts[name, default: 0])
        }
    }
}
