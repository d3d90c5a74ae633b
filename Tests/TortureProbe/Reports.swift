import Foundation

/// The reports of the workers of one shop.
struct Reports {
    private(set) var saved: Set<Int> = []
    private(set) var refused: Set<Int> = []
    /// Transactions of unknown outcome, either reported as such or interrupted by the end of their process.
    private(set) var unknown: Set<Int> = []
    /// The store of each transaction that was saved at a place where stores are erased.
    ///
    /// The number of its first transaction identifies a store.
    private(set) var stores: [Int: Int] = [:]
    /// The number of times that a store was erased, or may have been erased.
    private(set) var erasures = 0
    private(set) var codes: [String: Int] = [:]

    static func + (left: Reports, right: Reports) -> Reports {
        var sum = left
        sum.saved.formUnion(right.saved)
        sum.refused.formUnion(right.refused)
        sum.unknown.formUnion(right.unknown)
        sum.stores.merge(right.stores) { $1 }
        sum.erasures += right.erasures
        sum.codes.merge(right.codes, uniquingKeysWith: +)
        return sum
    }

    /// Adds the output of a worker; an incomplete line is not a report.
    mutating func add(_ output: Data) throws {
        var begun: Int?
        var isErasing = false
        for line in String(decoding: output, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .dropLast()
        {
            let words = line.split(separator: " ", maxSplits: 2).map(String.init)
            guard words.count > 1 else { throw Failure("A worker reported '\(line)'.") }
            let number = Int(words[1])
            switch (words[0], number) {
            case ("begun", let number?): begun = number
            case ("saved", let number?):
                saved.insert(number)
                if words.count > 2 { stores[number] = Int(words[2]) }
                begun = nil
            case ("refused", let number?), ("unknown", let number?):
                if words[0] == "refused" { refused.insert(number) } else { unknown.insert(number) }
                begun = nil
                codes[words.last ?? "", default: 0] += 1
            case ("erasing", _): isErasing = true
            case ("erased", let count?):
                erasures += count
                isErasing = false
            case ("unopened", _), ("standing", _): codes[words[1...].joined(separator: " "), default: 0] += 1
            default: throw Failure("A worker reported '\(line)'.")
            }
        }
        if let begun { unknown.insert(begun) }
        if isErasing { erasures += 1 }
    }
}
