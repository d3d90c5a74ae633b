/// The values of one parent and its children.
struct FamilySample: Encodable {
    struct Child: Encodable {
        let name: String
        let value: Int
    }

    static let childrenPerParent = 20

    let name: String
    let children: [Child]

    static func make(_ count: Int, seed: UInt64 = 3) -> [FamilySample] {
        var random = RandomSource(seed: seed)
        return (0..<count).map { _ in
            FamilySample(
                name: random.letters(12),
                children: (0..<childrenPerParent).map { _ in
                    Child(name: random.letters(12), value: Int(random.next() % 1_000))
                }
            )
        }
    }
}

extension [FamilySample] {
    /// The children in the order in which they are inserted, with the positions of their parents in the list.
    ///
    /// The first children of all parents come before the second children, so that the rows of one parent are not
    /// adjacent.
    var interleavedChildren: [(parent: Int, child: FamilySample.Child)] {
        (0..<FamilySample.childrenPerParent).flatMap { place in
            enumerated().map { ($0.offset, $0.element.children[place]) }
        }
    }
}
