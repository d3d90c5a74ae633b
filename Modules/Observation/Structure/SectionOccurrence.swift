/// The name of a section, and the number of earlier sections with the same name.
struct SectionOccurrence: Hashable {
    let name: String
    let number: Int

    /// Returns the occurrences of sections with some names, in the order of the sections.
    static func all(_ names: [String]) -> [SectionOccurrence] {
        var counts: [String: Int] = [:]
        return names.map { name in
            defer { counts[name, default: 0] += 1 }
            return SectionOccurrence(name: name, number: counts[name, default: 0])
        }
    }
}
