import Coffer
import Foundation
import TestSupport
import Testing

/// Ids of another type than the attribute.
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

    private let schema = CoreStoreSchema(
        modelVersion: "V1", entities: [Entity<Weight>("Weight"), Entity<Badge>("Badge")])

    @Test(arguments: TestBackend.allCases)
    func `an integer is an id of an attribute with doubles`(_ backend: TestBackend) throws {
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
    func `a text that is no UUID is no id of an attribute with UUIDs`(_ backend: TestBackend) throws {
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
