/// The values of one `item`: ten integers.
struct ItemSample: Encodable {
    let a, b, c, d, e, f, g, h, i, j: Int

    static func make(_ count: Int, seed: UInt64 = 2) -> [ItemSample] {
        var random = RandomSource(seed: seed)
        return (0..<count).map { _ in
            ItemSample(
                a: random.number(), b: random.number(), c: random.number(), d: random.number(), e: random.number(),
                f: random.number(), g: random.number(), h: random.number(), i: random.number(), j: random.number()
            )
        }
    }
}

extension RandomSource {
    fileprivate mutating func number() -> Int {
        Int(next() % 1_000_000_000)
    }
}
