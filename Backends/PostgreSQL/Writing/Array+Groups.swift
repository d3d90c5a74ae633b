/// Groups the elements of an array by a key.
extension Array {
    /// Returns the elements grouped by their keys, in the order of the first element of each group.
    func grouped<Key: Hashable>(by key: (Element) -> Key) -> [(Key, [Element])] {
        var places: [Key: Int] = [:]
        var groups: [(Key, [Element])] = []
        for element in self {
            let key = key(element)
            if let last = groups.indices.last, groups[last].0 == key {
                // Most elements follow an element with the same key, and need no lookup.
                groups[last].1.append(element)
            } else if let place = places[key] {
                groups[place].1.append(element)
            } else {
                places[key] = groups.count
                groups.append((key, [element]))
            }
        }
        return groups
    }
}
