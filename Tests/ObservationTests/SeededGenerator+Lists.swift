import TestSupport

extension SeededGenerator {
    mutating func pick<Element>(_ list: [Element]) -> Element? { list.randomElement(using: &self) }
    mutating func word() -> String { String((0..<2).compactMap { _ in "abcABC".randomElement(using: &self) }) }
    mutating func city() -> String? { pick(["Oslo", "Rome", "Bern", nil]) ?? nil }
}
