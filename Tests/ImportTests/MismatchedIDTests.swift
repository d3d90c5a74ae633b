import Coffer
import Foundation
import TestSupport
import Testing

/// Unique ids whose type differs from the type of the attribute.
@MainActor
struct MismatchedIDTests {
    private final class Weight: CoreStoreObject, ImportableUniqueObject {
        @Field.Stored("key") var key: Double = 0
        @Field.Stored("count") var count: Int = 0

        static var uniqueIDKeyPath: String { "key" }

        static func uniqueID(from source: (Int, Int), in transaction: BaseDataTransaction) throws -> Int? { source.0 }

        func update(from source: (Int, Int), in transaction: BaseDataTransaction) throws { count = source.1 }
    }

    private final class Badge: CoreStoreObject, ImportableUniqueObject {
        @Field.Stored("key") var key: UUID = .init()

        static var uniqueIDKeyPath: String { "key" }

        static func uniqueID(from source: String, in transaction: BaseDataTransaction) throws -> String? { source }

        func update(from source: String, in transaction: BaseDataTransaction) throws {}
    }

    private final class Short: CoreStoreObject, ImportableUniqueObject {
        @Field.Stored("key") var key: Int16 = 0

        static var uniqueIDKeyPath: String { "key" }

        static func uniqueID(from source: Int, in transaction: BaseDataTransaction) throws -> Int? { source }

        func update(from source: Int, in transaction: BaseDataTransaction) throws {}
    }

    private final class Ratio: CoreStoreObject, ImportableUniqueObject {
        @Field.Stored("key") var key: Float = 0

        static var uniqueIDKeyPath: String { "key" }

        static func uniqueID(from source: Double, in transaction: BaseDataTransaction) throws -> Double? { source }

        func update(from source: Double, in transaction: BaseDataTransaction) throws {}
    }

    private final class Price: CoreStoreObject, ImportableUniqueObject {
        @Field.Stored("key") var key: Decimal = 0

        static var uniqueIDKeyPath: String { "key" }

        static func uniqueID(from source: Double, in transaction: BaseDataTransaction) throws -> Double? { source }

        func update(from source: Double, in transaction: BaseDataTransaction) throws {}
    }

    private let schema = CoreStoreSchema(
        modelVersion: "V1",
        entities: [
            Entity<Weight>("Weight"), Entity<Badge>("Badge"), Entity<Short>("Short"), Entity<Ratio>("Ratio"),
            Entity<Price>("Price"),
        ])

    @Test(arguments: TestBackend.allCases)
    func `a number that the type of the id attribute cannot hold is refused`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        for number in [32_768, -32_769, Int.max] {
            let error = #expect(throws: CoreStoreError.self) {
                try test.stack.perform(synchronous: { transaction in
                    _ = try transaction.importUniqueObjects(Into<Short>(), sourceArray: [1, number])
                })
            }
            #expect(error.map { "\($0)" }?.contains("'Short.key' cannot have the value '\(number)'") == true)
        }
        for number in [0.1, 1e300] {
            let error = #expect(throws: CoreStoreError.self) {
                try test.stack.perform(synchronous: { transaction in
                    _ = try transaction.importUniqueObject(Into<Ratio>(), source: number)
                })
            }
            #expect(error.map { "\($0)" }?.contains("'Ratio.key' cannot have the value '\(number)'") == true)
        }
        #expect(try test.stack.fetchCount(From<Short>()) == 0)
        for _ in 1...2 {
            try test.stack.perform(synchronous: { transaction in
                _ = try transaction.importUniqueObjects(Into<Short>(), sourceArray: [32_767, -32_768])
                _ = try transaction.importUniqueObjects(Into<Ratio>(), sourceArray: [0.5, -.infinity])
            })
        }
        let keys = try test.stack.fetchAll(From<Short>(), OrderBy<Short>(.ascending(\.$key))).map(\.key)
        #expect(keys == [-32_768, 32_767])
        let ratios = try test.stack.fetchAll(From<Ratio>(), OrderBy<Ratio>(.ascending(\.$key))).map(\.key)
        #expect(ratios == [-.infinity, 0.5])
    }

    @Test(arguments: TestBackend.allCases)
    func `a number finds the object with the equal number of another type`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        for _ in 1...2 {
            try test.stack.perform(synchronous: { transaction in
                _ = try transaction.importUniqueObjects(Into<Price>(), sourceArray: [0.1, 2, -1.25, 0.1])
            })
        }
        let prices = try test.stack.fetchAll(From<Price>(), OrderBy<Price>(.ascending(\.$key))).map(\.key)
        #expect(prices == ["-1.25", "0.1", "2"].map { Decimal(string: $0) })
        #expect(throws: CoreStoreError.self) {
            try test.stack.perform(synchronous: { transaction in
                _ = try transaction.importUniqueObject(Into<Price>(), source: 1e300)
            })
        }
    }

    @Test(arguments: TestBackend.allCases, [ImportOptions.Transactions.one, .batches(of: 2)])
    func `a file record whose id the attribute cannot hold is refused, and the others are imported`(
        _ backend: TestBackend, _ transactions: ImportOptions.Transactions
    ) async throws {
        let test = try TestStack(backend, schema)
        let file = try TextFile("a.jsonl", "1\n40000\n3\n-32769\n1\n")
        let report = try await test.stack.async.importUniqueObjects(
            Into<Short>(), from: file.records(),
            options: ImportOptions(transactions: transactions, refusals: .keepOthers))
        #expect(report.description == "5 records: 2 created, 1 updated, 0 skipped, 2 refused")
        #expect(
            report.refusals.map(\.description) == [
                "line 2, record 2: The attribute 'key' cannot have the value '40000'.",
                "line 4, record 4: The attribute 'key' cannot have the value '-32769'.",
            ])
        let infinite = try TextFile("b.jsonl", "0.5\n1e300\n\"nan\"\n")
        let ratios = try await test.stack.async.importUniqueObjects(
            Into<Ratio>(), from: infinite.records(),
            options: ImportOptions(transactions: transactions, refusals: .keepOthers))
        #expect(ratios.refusals.map(\.number) == [2, 3])
        #expect(try test.stack.fetchAll(From<Ratio>()).map(\.key) == [0.5])
    }

    @Test(arguments: TestBackend.allCases)
    func `an integer can be the id for a double attribute`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        for count in 1...2 {
            _ = try test.stack.perform(synchronous: { transaction in
                try transaction.importUniqueObjects(Into<Weight>(), sourceArray: [(7, count), (-8, count)])
            })
        }
        let weights = try test.stack.fetchAll(From<Weight>(), OrderBy<Weight>(.ascending(\.$key)))
        #expect(weights.map(\.key) == [-8, 7])
        #expect(weights.map(\.count) == [2, 2])
        #expect(try test.stack.fetchCount(From<Weight>().where { $0.$key == 7 }) == 1)
    }

    @Test(arguments: TestBackend.allCases)
    func `a string that is no UUID is refused as the id for a UUID attribute`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        let error = #expect(throws: CoreStoreError.self) {
            try test.stack.perform(synchronous: { transaction in
                _ = try transaction.importUniqueObject(Into<Badge>(), source: "hello")
            })
        }
        #expect(error.map { "\($0)" }?.contains("'Badge.key' cannot have the value 'hello'") == true)
        #expect(try test.stack.fetchCount(From<Badge>()) == 0)
        let uuid = UUID()
        _ = try test.stack.perform(synchronous: { transaction in
            try transaction.importUniqueObject(Into<Badge>(), source: uuid.uuidString)
        })
        #expect(try test.stack.fetchAll(From<Badge>()).map(\.key) == [uuid])
    }
}
