import Coffer
import CofferConfiguration
import CofferStorage
import Foundation

/// An order with facts about its related objects.
///
/// Every transaction computes these facts from relationships that it reads lazily.
final class Order: CoreStoreObject {
    @Field.Stored("number") var number: Int = 0
    /// The sum of the lines' amounts.
    @Field.Stored("total") var total: Int = 0
    /// The number of labels.
    @Field.Stored("labelCount") var labelCount: Int = 0
    @Field.Relationship("lines", inverse: \.$order, deleteRule: .cascade) var lines: [Line]
    @Field.Relationship("marks", inverse: \.$order) var marks: Set<Mark>
    @Field.Relationship("labels", inverse: \.$orders) var labels: [Label]

    /// Updates the facts about the related objects.
    func settle() {
        total = lines.reduce(0) { $0 + $1.amount }
        labelCount = labels.count
    }
}

/// A part of an order.
final class Line: CoreStoreObject {
    @Field.Stored("amount") var amount: Int = 0
    @Field.Relationship("order") var order: Order?
}

/// A label of orders.
class Label: CoreStoreObject {
    @Field.Stored("name") var name: String = ""
    @Field.Relationship("orders") var orders: Set<Order>
}

/// A label that only the second version of the schema has.
///
/// A migration recreates the table of labels for this class.
final class FineLabel: Label {
    @Field.Stored("shade") var shade: Int = 0
}

/// The first transaction in a store.
///
/// Another number means another store at the place of an erased store.
final class Beginning: CoreStoreObject {
    @Field.Stored("number") var number: Int = 0
}

/// The trace of one transaction.
final class Mark: CoreStoreObject {
    @Field.Stored("number") var number: Int = 0
    @Field.Relationship("order") var order: Order?
}

enum Shop {
    static let labels = ["red", "green", "blue"]

    private static let first = CoreStoreSchema(modelVersion: "V1", entities: entities)
    private static let second = CoreStoreSchema(
        modelVersion: "V2", entities: entities + [Entity<FineLabel>("FineLabel")])

    private static var entities: [DynamicEntity] {
        [
            Entity<Order>("Order", uniqueConstraints: [[\.$number]]), Entity<Line>("Line"),
            Entity<Label>("Label", uniqueConstraints: [[\.$name]]),
            Entity<Mark>("Mark", uniqueConstraints: [[\.$number]]),
            Entity<Beginning>("Beginning", uniqueConstraints: [[\.$number]]),
        ]
    }

    /// Returns a data stack of the first version with the store that a URL names.
    static func stack(_ url: String) throws -> DataStack {
        let stack = DataStack(first, viewQueue: DispatchQueue(label: "torture"))
        try stack.addStorageAndWait(storage(url))
        return stack
    }

    /// Returns a data stack of the second version with the store that a URL names, after migrating the store.
    static func migratedStack(_ url: String) throws -> DataStack {
        let stack = DataStack(
            first, second, migrationChain: ["V1", "V2"], viewQueue: DispatchQueue(label: "torture"))
        let failure = Locked<CoreStoreError?>(nil)
        let end = DispatchSemaphore(value: 0)
        func add(_ storage: some StorageInterface) {
            stack.addStorage(storage) { result in
                if case .failure(let error) = result { failure.withLock { $0 = error } }
                end.signal()
            }
        }
        add(try storage(url))
        end.wait()
        if let error = failure.withLock({ $0 }) { throw error }
        return stack
    }

    static func storage(_ url: String) throws -> any StorageInterface { try StorageConfiguration(url).makeStorage() }
}

/// A logger without output, because the workers count the errors.
struct SilentLogger: CoreStoreLogger {
    /// The number of stores of another version that were erased.
    static let recreations = Locked(0)

    func log(
        level: LogLevel, message: String, fileName: StaticString, lineNumber: Int, functionName: StaticString
    ) {
        if message.contains("is erased and recreated") { Self.recreations.withLock { $0 += 1 } }
    }

    func log(
        error: CoreStoreError, message: String, fileName: StaticString, lineNumber: Int, functionName: StaticString
    ) {}

    func assert(
        _ condition: @autoclosure () -> Bool, message: @autoclosure () -> String, fileName: StaticString,
        lineNumber: Int, functionName: StaticString
    ) {}
}

struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// A random number generator that repeats its numbers for the same seed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        // SplitMix64.
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
