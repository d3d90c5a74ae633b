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
