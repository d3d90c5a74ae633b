import Coffer
import CofferConfiguration
import CofferStorage
import Foundation

/// A counter that many processes increment at the same time.
final class Counter: CoreStoreObject {
    @Field.Stored("number") var number: Int = 0
    @Field.Stored("value") var value: Int = 0
    @Field.Stored("checked") var checked: Int = 0
}

/// An object with a property for each process, so that the processes write different properties.
final class Tally: CoreStoreObject {
    @Field.Stored("p0") var p0: Int = 0
    @Field.Stored("p1") var p1: Int = 0
    @Field.Stored("p2") var p2: Int = 0
    @Field.Stored("p3") var p3: Int = 0
    @Field.Stored("p4") var p4: Int = 0
    @Field.Stored("p5") var p5: Int = 0
    @Field.Stored("p6") var p6: Int = 0
    @Field.Stored("p7") var p7: Int = 0

    static var places: [ReferenceWritableKeyPath<Tally, Int>] {
        [\.p0, \.p1, \.p2, \.p3, \.p4, \.p5, \.p6, \.p7]
    }
}

/// The object that one transaction of `terminate` creates.
final class Mark: CoreStoreObject {
    @Field.Stored("number") var number: Int = 0
}

enum Place {
    static let counterCount = 4

    /// Returns a data stack with the store that a URL names.
    static func stack(_ url: String) throws -> DataStack {
        let schema = CoreStoreSchema(
            modelVersion: "V1",
            entities: [
                Entity<Counter>("Counter", uniqueConstraints: [[\.$number]]), Entity<Tally>("Tally"),
                Entity<Mark>("Mark", uniqueConstraints: [[\.$number]]),
            ])
        let stack = DataStack(schema, viewQueue: DispatchQueue(label: "contention"))
        try stack.addStorageAndWait(StorageConfiguration(url).makeStorage())
        return stack
    }

    /// Creates the counters and the tally.
    static func fill(_ url: String) throws {
        let stack = try stack(url)
        defer { stack.unsafeRemoveAllPersistentStoresAndWait() }
        try stack.perform(synchronous: { transaction in
            for number in 0..<counterCount { transaction.create(Into<Counter>()).number = number }
            _ = transaction.create(Into<Tally>())
        })
    }

    /// Removes the store.
    static func erase(_ url: String) throws {
        try StorageConfiguration(url).makeStorage().erase()
    }
}

/// A logger without output, because the probe counts the errors.
struct SilentLogger: CoreStoreLogger {
    func log(
        level: LogLevel, message: String, fileName: StaticString, lineNumber: Int, functionName: StaticString
    ) {}

    func log(
        error: CoreStoreError, message: String, fileName: StaticString, lineNumber: Int, functionName: StaticString
    ) {}

    func assert(
        _ condition: @autoclosure () -> Bool, message: @autoclosure () -> String, fileName: StaticString,
        lineNumber: Int, functionName: StaticString
    ) {}
}
