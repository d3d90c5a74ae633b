import Coffer
import CofferStorage
import Foundation

/// A process that runs transactions on a shop and reports each outcome: "saved N", "refused N" or "unknown N".
///
/// It first reports "begun N", so that the outcome of a transaction is unknown if the process is killed.
struct Worker {
    let url: String
    let number: Int
    let transactions: Int
    private var random: SeededGenerator
    private var known: ObjectID?

    init(url: String, number: Int, seed: UInt64, transactions: Int) {
        self.url = url
        self.number = number
        self.transactions = transactions
        random = SeededGenerator(seed: seed)
    }

    static func say(_ text: String) { FileHandle.standardOutput.write(Data("\(text)\n".utf8)) }

    mutating func run() {
        var stack: DataStack?
        for index in 0..<transactions {
            // After a failure to open the store, and from time to time, the store is opened again. All saved objects
            // must still exist.
            if stack == nil || Int.random(in: 0..<40, using: &random) == 0 {
                stack?.unsafeRemoveAllPersistentStoresAndWait()
                stack = nil
                do {
                    stack = try Shop.stack(url)
                } catch {
                    Self.say("unopened \(Self.code(error))")
                }
            }
            guard let stack else { continue }
            attempt(number * 1_000_000 + index + 1, stack)
        }
        stack?.unsafeRemoveAllPersistentStoresAndWait()
    }

    static func code(_ error: any Error) -> String {
        let failure = (error as? CoreStoreError)?.storageError ?? error as? StorageError
        return failure?.code.rawValue ?? "\(error)".replacingOccurrences(of: "\n", with: " ")
    }

    private mutating func attempt(_ mark: Int, _ stack: DataStack) {
        let seed = random.next()
        let known = known
        Self.say("begun \(mark)")
        do {
            self.known = try stack.perform(
                synchronous: { transaction in
                    var random = SeededGenerator(seed: seed)
                    return try Self.change(transaction, mark, known, &random)
                }, options: TransactionOptions(isolation: .serializable, repeatable: .upTo(seed % 2 == 0 ? 20 : 0)))
            Self.say("saved \(mark)")
        } catch {
            Self.say(
                "\(error.storageError?.code == .unknownOutcome ? "unknown" : "refused") \(mark) \(Self.code(error))")
        }
    }

    // MARK: One transaction

    /// - Returns: an order for the next transaction.
    static func change(
        _ transaction: SynchronousDataTransaction, _ number: Int, _ known: ObjectID?,
        _ random: inout SeededGenerator
    ) throws -> ObjectID? {
        let mark = transaction.create(Into<Mark>())
        mark.number = number
        if try transaction.fetchCount(From<Beginning>()) == 0 {
            transaction.create(Into<Beginning>()).number = number
        }
        guard var order = try someOrder(transaction, known, &random), Int.random(in: 0..<5, using: &random) > 0 else {
            let order = transaction.create(Into<Order>())
            order.number = number
            for _ in 0...Int.random(in: 0..<4, using: &random) { addLine(to: order, transaction, &random) }
            mark.order = order
            order.settle()
            return order.cs_id()
        }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: addLine(to: order, transaction, &random)
        case 1: removeLine(of: order, transaction, &random)
        case 2: try moveLine(of: order, transaction, &random)
        case 3: try label(order, transaction, &random)
        case 4: order.labels.reverse()
        default: order = replaced(order, number, transaction)
        }
        guard !order.isDeleted else { return nil }
        mark.order = order
        // This lazy read determines the stored values, and whether the order is deleted.
        if order.lines.isEmpty {
            transaction.delete(order)
            return nil
        }
        order.settle()
        return order.cs_id()
    }

    /// Returns an order by its id, or a random order; nil if there is none.
    private static func someOrder(
        _ transaction: SynchronousDataTransaction, _ known: ObjectID?, _ random: inout SeededGenerator
    ) throws -> Order? {
        if let known, Bool.random(using: &random) {
            return transaction.edit(Into<Order>(), known)
        }
        let count = try transaction.fetchCount(From<Order>())
        guard count > 0 else { return nil }
        let offset = Int.random(in: 0..<count, using: &random)
        let number =
            try transaction.queryAttributes(
                From<Order>().select(NSDictionary.self, .attribute(\.$number)).orderBy(.ascending(\.$number))
            )
            .dropFirst(offset).first?["number"] as? Int
        guard let number else { throw Failure("The store counts \(count) orders but returns fewer.") }
        return try transaction.fetchOne(From<Order>().where { $0.$number == number })
    }

    private static func addLine(
        to order: Order, _ transaction: SynchronousDataTransaction, _ random: inout SeededGenerator
    ) {
        let line = transaction.create(Into<Line>())
        line.amount = Int.random(in: 1...100, using: &random)
        if Bool.random(using: &random) { line.order = order } else { order.lines.insert(line, at: 0) }
    }

    private static func removeLine(
        of order: Order, _ transaction: SynchronousDataTransaction, _ random: inout SeededGenerator
    ) {
        if let line = order.lines.randomElement(using: &random) { transaction.delete(line) }
    }

    private static func moveLine(
        of order: Order, _ transaction: SynchronousDataTransaction, _ random: inout SeededGenerator
    ) throws {
        guard let other = try someOrder(transaction, nil, &random), other != order,
            let line = other.lines.randomElement(using: &random)
        else { return }
        line.order = order
        if other.lines.isEmpty { transaction.delete(other) } else { other.settle() }
    }

    private static func label(
        _ order: Order, _ transaction: SynchronousDataTransaction, _ random: inout SeededGenerator
    ) throws {
        let name = Shop.labels.randomElement(using: &random) ?? ""
        if let known = order.labels.first(where: { $0.name == name }) {
            order.labels.removeAll { $0 == known }
            return
        }
        let found = try transaction.fetchOne(From<Label>().where { $0.$name == name })
        let label = found ?? transaction.create(Into<Label>())
        label.name = name
        order.labels.append(label)
    }

    /// Replaces an order by a new order with the same lines, labels and marks, and deletes the old order.
    private static func replaced(
        _ order: Order, _ number: Int, _ transaction: SynchronousDataTransaction
    ) -> Order {
        let copy = transaction.create(Into<Order>())
        copy.number = -number
        copy.lines = order.lines
        copy.labels = order.labels
        copy.marks = order.marks
        transaction.delete(order)
        return copy
    }
}
