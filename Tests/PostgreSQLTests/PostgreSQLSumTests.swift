import CofferPostgreSQL
import CofferStorage
import TestSupport
import Testing

/// Sums of doubles, which the server computes if this loses no precision.
@Suite(.enabled(if: Postgres.url != nil, "\(Postgres.advice)"))
struct PostgreSQLSumTests {
    /// Some numbers, their sum, and whether the server adds them.
    struct Example: CustomTestStringConvertible {
        let numbers: [Double?]
        let sum: Double
        let isServers: Bool

        var testDescription: String { "\(numbers.count) numbers with the sum \(sum)" }
    }

    static let examples = [
        // If these numbers are added one after the other, the sum is 0.9999999999999999.
        Example(numbers: Array(repeating: 0.1, count: 10), sum: 1, isServers: true),
        Example(numbers: [19.99, 5.01, nil, -3.3, 0.25], sum: 21.95, isServers: true),
        Example(numbers: [], sum: 0, isServers: true),
        Example(numbers: [nil, nil], sum: 0, isServers: true),
        Example(numbers: [-0.0], sum: 0, isServers: true),
        Example(numbers: [1e16, 1, -1e16], sum: 1, isServers: false),
        // Such a small remainder cannot affect the sum, whatever its digits are.
        Example(numbers: [1, 1e-300], sum: 1, isServers: true),
        Example(numbers: Array(repeating: 0.000001, count: 1_000) + [12.5], sum: 12.501, isServers: true),
        // The remainder is half of the last place, and then a little more. All its digits affect the sum.
        Example(numbers: [1, 0x1p-53], sum: 1, isServers: false),
        Example(numbers: [1, 0x1p-53, 0x1p-80], sum: 1 + 0x1p-52, isServers: false),
        // The numbers cancel each other.
        Example(numbers: [12.34, -12.34, 0.5, -0.5], sum: 0, isServers: true),
        Example(numbers: [2e9], sum: 2e9, isServers: true),
        Example(numbers: [2e9, -2e9], sum: 0, isServers: false),
        Example(numbers: [0.1, 1e300], sum: 1e300, isServers: false),
        Example(numbers: [1, .infinity], sum: .infinity, isServers: false),
        Example(numbers: [1e308, 1e308, -1e308], sum: 1e308, isServers: false),
    ]

    @Test(arguments: examples)
    func `a sum is rounded once`(_ example: Example) throws {
        let said = Locked<[String]>([])
        let store = try Postgres.store(
            Postgres.newSchema(),
            settings: PostgreSQLConfiguration(onStatement: { text in said.withLock { $0.append(text) } }))
        defer { try? store.erase() }
        let layout = try ModelLayout(
            StoreModel(
                version: "V1",
                entities: [
                    EntityDescription(
                        name: "Sample",
                        attributes: [.init(name: "number", type: .doubleAttributeType, isOptional: true)])
                ]))
        _ = try store.open(layout)
        var changes = ChangeSet()
        for (key, number) in zip(try store.reserveKeys(example.numbers.count, root: 0), example.numbers) {
            let row = Row.make(
                entity: 0, key: key, version: 1, values: [number.map(Value.double) ?? .null], kinds: [.double])
            changes.inserts.append(.init(row: try #require(row)))
        }
        _ = try store.commit(changes)
        let number = RowExpression.column(slot: 0, kind: .double)
        let request = ValueRequest(
            rows: RowRequest(entity: 0), terms: [.aggregate(.sum, number), .aggregate(.average, number)])
        let found = try store.read { reader throws(StorageError) in try reader.values(request) }
        let count = example.numbers.count { $0 != nil }
        #expect(found == [[.double(example.sum), count == 0 ? .null : .double(example.sum / Double(count))]])
        #expect(said.withLock(\.self).contains("ROLLBACK TO SAVEPOINT coffer") == !example.isServers)
    }
}
