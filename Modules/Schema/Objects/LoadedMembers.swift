/// The members of the to-many relationships of an object that were loaded, by the relationship's index in the model.
///
/// An object has few such relationships, so a search takes less time than the hash of a dictionary.
package struct LoadedMembers: Sequence, Sendable {
    private var elements: [(relationship: Int, members: MemberKeys)] = []

    package init() {}

    /// Whether no relationship is loaded.
    package var isEmpty: Bool { elements.isEmpty }

    /// The members of a relationship; nil if they are not loaded.
    package subscript(relationship: Int) -> MemberKeys? {
        get { place(relationship).map { elements[$0].members } }
        _modify {
            let place = place(relationship)
            // The list is moved out and back, so that a change does not copy it.
            var members = place.map { place in
                let members = elements[place].members
                elements[place].members = MemberKeys()
                return members
            }
            defer {
                switch (place, members) {
                case (let place?, let members?): elements[place].members = members
                case (let place?, nil): elements.remove(at: place)
                case (nil, let members?): elements.append((relationship, members))
                case (nil, nil): break
                }
            }
            yield &members
        }
    }

    /// Whether a relationship is loaded.
    package func contains(_ relationship: Int) -> Bool { place(relationship) != nil }

    /// Returns the keys of the members of a relationship in their order; nil if they are not loaded.
    ///
    /// Removes the gaps of the list, so that the next call takes one step.
    package mutating func keys(_ relationship: Int) -> [Int64]? {
        guard let place = place(relationship) else { return nil }
        elements[place].members.compact()
        return elements[place].members.keys
    }

    /// Sets the members of a relationship.
    package mutating func set(_ members: MemberKeys, _ relationship: Int) {
        if let place = place(relationship) {
            elements[place].members = members
        } else {
            elements.append((relationship, members))
        }
    }

    /// Forgets the members of all relationships.
    package mutating func removeAll() { elements = [] }

    package func makeIterator() -> some IteratorProtocol<(relationship: Int, members: MemberKeys)> {
        elements.makeIterator()
    }

    private func place(_ relationship: Int) -> Int? {
        for place in elements.indices where elements[place].relationship == relationship { return place }
        return nil
    }
}
