/// The expected content of a list, computed from the model.
struct ListRule {
    /// A section and its objects.
    struct Section: Equatable {
        var name: String
        var ids: [Int]
    }

    enum Key {
        case number(Int?)
        case text(String?)

        func precedes(_ other: Key) -> Bool? {
            switch (self, other) {
            case (.number(let left), .number(let right)): left == right ? nil : (left ?? .min) < (right ?? .min)
            case (.text(let left), .text(let right)):
                left == right ? nil : Array((left ?? "").utf8).lexicographicallyPrecedes(Array((right ?? "").utf8))
            default: nil
            }
        }
    }

    let name: String
    let kind: World.Kind
    /// Whether an object is in the list.
    var condition: (World, Int) -> Bool = { _, _ in true }
    /// The keys of the order, and whether each key is descending.
    let order: (World, Int) -> [(key: Key, isDescending: Bool)]
    /// The name of an object's section; nil if the list has no sections.
    var section: ((World, Int) -> String)?
    var offset = 0
    var limit = Int.max

    func sections(_ world: World) -> [Section] {
        let found = world.ids(kind).filter { condition(world, $0) }.map { (id: $0, keys: order(world, $0)) }
            .sorted { left, right in
                for (left, right) in zip(left.keys, right.keys) {
                    if let precedes = left.key.precedes(right.key) { return precedes != left.isDescending }
                }
                return false
            }.map(\.id).dropFirst(offset).prefix(limit)
        guard let section else { return found.isEmpty ? [] : [Section(name: "", ids: Array(found))] }
        var sections: [Section] = []
        for id in found {
            let name = section(world, id)
            if let index = sections.firstIndex(where: { $0.name == name }) {
                sections[index].ids.append(id)
            } else {
                sections.append(Section(name: name, ids: [id]))
            }
        }
        return sections
    }
}
