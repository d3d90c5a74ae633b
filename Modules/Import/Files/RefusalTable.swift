import CofferRecords

/// Collects the refused records of an import: the numbers of all of them, and the reasons for the first refusals.
///
/// A file may have millions of refused records, of which the report describes a few.
struct RefusalTable {
    private(set) var numbers: Set<Int> = []
    private var described: [Int: RefusedRecord] = [:]
    private let limit: Int

    /// - Parameter limit: the maximum number of described records; at least one record is described.
    init(limit: Int) { self.limit = min(max(1, limit), 1 << 29) }

    var isEmpty: Bool { numbers.isEmpty }
    var count: Int { numbers.count }

    /// The first refused records in the order of the file, as many as the limit allows.
    var firstRecords: [RefusedRecord] { Array(described.values.sorted { $0.number < $1.number }.prefix(limit)) }

    mutating func add(_ record: RefusedRecord) {
        numbers.insert(record.number)
        described[record.number] = record
        // The table may have twice the limit, so that the cost of sorting stays the same for each record.
        guard described.count >= 2 * limit else { return }
        described = Dictionary(uniqueKeysWithValues: firstRecords.map { ($0.number, $0) })
    }

    mutating func add(_ other: RefusalTable) {
        numbers.formUnion(other.numbers)
        for record in other.described.values { add(record) }
    }

    func contains(_ number: Int) -> Bool { numbers.contains(number) }

    /// A refused record; nil if it is not among the first.
    func record(_ number: Int) -> RefusedRecord? { described[number] }
}
