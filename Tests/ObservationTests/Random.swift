/// Numbers that are the same for the same seed.
struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func next(_ end: Int) -> Int { Int.random(in: 0..<end, using: &self) }
    mutating func pick<Element>(_ list: [Element]) -> Element? { list.randomElement(using: &self) }
    mutating func word() -> String { String((0..<2).compactMap { _ in "abcABC".randomElement(using: &self) }) }
    mutating func city() -> String? { pick(["Oslo", "Rome", "Bern", nil]) ?? nil }
}
