/// Groups the elements of an array by a key.
extension Array {
    /// The elements with the same key together, in the order in which they begin.
    func grouped<Key: Hashable>(by key: (Element) -> Key) -> [(Key, [Element])] {
        var places: [Key: Int] = [:]
        var groups: [(Key, [Element])] = []
        for element in self {
            let key = key(element)
            if let last = groups.indices.last, groups[last].0 == key {
                // As most are, which need no table then.
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
