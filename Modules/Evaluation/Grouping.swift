import CofferStorage

/// Assigns rows to groups with equal values, for requests with `groupBy`.
///
/// The groups are numbered in the order of their first rows.
struct Grouping {
    private enum Method {
        case one
        case words(slot: Int, kind: ColumnKind)
        case texts(slot: Int)
        case values([CompiledExpression], areJoined: [Bool])
    }

    private let method: Method
    private var table: [Int32] = Array(repeating: -1, count: 64)
    private var words: [UInt64] = []
    private var strings = ByteStrings()
    private var numbersOfStrings: [Int] = []
    private var numbers: [[Value]: Int] = [:]
    private var nullGroup = -1
    private(set) var count = 0

    init(_ groups: [RowExpression], in layout: ModelLayout) {
        switch groups.first {
        case nil:
            method = .one
        case .column(let slot, let kind) where groups.count == 1 && kind == .text:
            method = .texts(slot: slot)
        case .column(let slot, let kind) where groups.count == 1 && kind != .decimal && kind != .blob:
            method = .words(slot: slot, kind: kind)
        default:
            method = .values(
                groups.map { CompiledExpression($0, in: layout) },
                areJoined: groups.map { $0.isComputedInteger(layout) })
        }
    }

    /// Returns the number of the row's group; for a new group, this is the previous ``count``.
    mutating func number(_ row: Row, _ source: any RowSource) -> Int {
        switch method {
        case .one:
            count = 1
            return 0
        case .words(let slot, let kind):
            guard row.holds(slot) else { return nullNumber() }
            var word = row.word(slot)
            if kind.isDouble { word = (row.double(slot) + 0).bitPattern }
            if kind == .boolean { word = word == 0 ? 0 : 1 }
            return number(word)
        case .texts(let slot):
            guard row.holds(slot) else { return nullNumber() }
            let string = row.withBytes(slot) { strings.insert($0) }
            if string == numbersOfStrings.count {
                numbersOfStrings.append(count)
                count += 1
            }
            return numbersOfStrings[string]
        case .values(let expressions, let areJoined):
            let key = zip(expressions, areJoined).map { expression, isJoined in
                let value = expression.value(row, source)
                return isJoined ? value.joiningIntegers : value
            }
            if let number = numbers[key] { return number }
            numbers[key] = count
            count += 1
            return count - 1
        }
    }

    private mutating func nullNumber() -> Int {
        if nullGroup < 0 {
            nullGroup = count
            words.append(0)
            count += 1
        }
        return nullGroup
    }

    private mutating func number(_ word: UInt64) -> Int {
        let mask = table.count - 1
        var place = Int(truncatingIfNeeded: ByteHash.hash(word)) & mask
        while table[place] >= 0 {
            let number = Int(table[place])
            if words[number] == word { return number }
            place = (place + 1) & mask
        }
        table[place] = Int32(truncatingIfNeeded: count)
        words.append(word)
        count += 1
        if count * 2 > table.count { grow() }
        return count - 1
    }

    private mutating func grow() {
        table = Array(repeating: -1, count: table.count * 2)
        let mask = table.count - 1
        for (number, word) in words.enumerated() where number != nullGroup {
            var place = Int(truncatingIfNeeded: ByteHash.hash(word)) & mask
            while table[place] >= 0 { place = (place + 1) & mask }
            table[place] = Int32(truncatingIfNeeded: number)
        }
    }
}
