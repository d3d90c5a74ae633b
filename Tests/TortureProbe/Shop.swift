import Coffer
import CofferConfiguration
import CofferStorage
import Foundation

/// An order keeps facts about its related objects: every transaction computes them from relationships that it reads
/// lazily.
final class Order: CoreStoreObject {
    @Field.Stored("number") var number: Int = 0
    /// The sum of the amounts of its lines.
    @Field.Stored("total") var total: Int = 0
    /// The number of its labels.
    @Field.Stored("labelCount") var labelCount: Int = 0
    @Field.Relationship("lines", inverse: \.$order, deleteRule: .cascade) var lines: [Line]
    @Field.Relationship("marks", inverse: \.$order) var marks: Set<Mark>
    @Field.Relationship("labels", inverse: \.$orders) var labels: [Label]

    /// Writes what the order keeps about its related objects.
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
final class Label: CoreStoreObject {
    @Field.Stored("name") var name: String = ""
    @Field.Relationship("orders") var orders: Set<Order>
}

/// The trace of one transaction.
final class Mark: CoreStoreObject {
    @Field.Stored("number") var number: Int = 0
    @Field.Relationship("order") var order: Order?
}

enum Shop {
    static let labels = ["red", "green", "blue"]

    static let schema = CoreStoreSchema(
        modelVersion: "V1",
        entities: [
            Entity<Order>("Order", uniqueConstraints: [[\.$number]]), Entity<Line>("Line"),
            Entity<Label>("Label", uniqueConstraints: [[\.$name]]),
            Entity<Mark>("Mark", uniqueConstraints: [[\.$number]]),
        ])

    /// A data stack on the store that a URL names.
    static func stack(_ url: String) throws -> DataStack {
        let stack = DataStack(schema, viewQueue: DispatchQueue(label: "torture"))
        try stack.addStorageAndWait(StorageConfiguration(url).makeStorage())
        return stack
    }
}

/// Errors are counted, not printed.
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

struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Random numbers that a seed repeats.
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
