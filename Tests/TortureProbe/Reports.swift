import Foundation

/// What the workers of one shop have reported.
struct Reports {
    private(set) var saved: Set<Int> = []
    private(set) var refused: Set<Int> = []
    /// Transactions of unknown outcome: reported so, or cut off with their process.
    private(set) var unknown: Set<Int> = []
    private(set) var codes: [String: Int] = [:]

    static func + (left: Reports, right: Reports) -> Reports {
        var sum = left
        sum.saved.formUnion(right.saved)
        sum.refused.formUnion(right.refused)
        sum.unknown.formUnion(right.unknown)
        sum.codes.merge(right.codes, uniquingKeysWith: +)
        return sum
    }

    /// Adds the output of a worker. A line that was cut off is not a report.
    mutating func add(_ output: Data) throws {
        var begun: Int?
        for line in String(decoding: output, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .dropLast()
        {
            let words = line.split(separator: " ", maxSplits: 2).map(String.init)
            guard words.count > 1 else { throw Failure("A worker said '\(line)'.") }
            let number = Int(words[1])
            switch (words[0], number) {
            case ("begun", let number?): begun = number
            case ("saved", let number?): saved.insert(number)
            case ("refused", let number?): refused.insert(number)
            case ("unknown", let number?): unknown.insert(number)
            case ("unopened", _): break
            default: throw Failure("A worker said '\(line)'.")
            }
            if words[0] != "begun", words[0] != "saved" {
                begun = nil
                codes[words.last ?? "", default: 0] += 1
            }
            if words[0] == "saved" { begun = nil }
        }
        if let begun { unknown.insert(begun) }
    }
}
