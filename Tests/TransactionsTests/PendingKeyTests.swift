import Coffer
import TestSupport
import Testing

private class Item: CoreStoreObject {
    @Field.Stored("number") var number: Int = 0
    @Field.Stored("code") var code: String?
    @Field.Stored("price") var price: Double = 0
}

// The last attributes of the two classes have the same slot and different kinds.
private final class Book: Item {
    @Field.Stored("pages") var pages: Int = 0
}

private final class Disc: Item {
    @Field.Stored("title") var title: String = ""
}

private let schema = CoreStoreSchema(
    modelVersion: "V1", entities: [Entity<Item>("Item"), Entity<Book>("Book"), Entity<Disc>("Disc")])

/// Fetches by key in transactions with many pending objects, which an index finds.
@MainActor
struct PendingKeyTests {
    /// A store with the items 1 … 100.
    private func make(_ backend: TestBackend) throws -> TestStack {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { transaction throws in
            for number in 1...100 { set(transaction.create(Into<Item>()), number) }
        })
        return test
    }

    private func set(_ item: Item, _ number: Int) {
        (item.number, item.code, item.price) = (number, "c\(number)", Double(number) / 2)
    }

    /// Renumbers the items 1 … 50 as 201 … 250, deletes 51 … 60, and creates 301 … 350.
    private func change(_ transaction: BaseDataTransaction) throws {
        let items = try transaction.fetchAll(From<Item>().orderBy(.ascending(\.$number)))
        for item in items[..<50] { set(item, item.number + 200) }
        transaction.delete(items[50..<60])
        for number in 301...350 { set(transaction.create(Into<Item>()), number) }
    }

    private func numbers(_ source: any FetchableSource, _ condition: Where<Item>) throws -> [Int] {
        try source.fetchAll(From<Item>(), condition).map(\.number)
    }

    private func inTransactions(_ backend: TestBackend, _ body: (BaseDataTransaction) throws -> Void) throws {
        let test = try make(backend)
        try test.stack.perform(synchronous: { transaction throws in
            try change(transaction)
            try body(transaction)
        })
        let other = try make(backend)
        let unsafe = other.stack.beginUnsafe(supportsUndo: true)
        try change(unsafe)
        try body(unsafe)
        let parent = other.stack.beginUnsafe()
        try change(parent)
        try body(parent.beginUnsafe())
        let child = other.stack.beginUnsafe().beginUnsafe()
        try change(child)
        try body(child)
    }

    @Test(.pins("FQ-06"), arguments: TestBackend.allCases)
    func `a fetch by an equal value finds new and changed objects, but no deleted objects`(
        _ backend: TestBackend
    ) throws {
        try inTransactions(backend) { transaction throws in
            for (number, isThere) in [(1, false), (55, false), (61, true), (201, true), (325, true), (400, false)] {
                let expected = isThere ? [number] : []
                #expect(try numbers(transaction, \.$number == number) == expected)
                #expect(try numbers(transaction, \.$code == "c\(number)") == expected)
                #expect(try numbers(transaction, \.$price == Double(number) / 2) == expected)
                #expect(try numbers(transaction, \.$number == number && \.$code != nil) == expected)
                #expect(try numbers(transaction, \.$number == number && \.$code == nil) == [])
                #expect(try transaction.fetchCount(From<Item>(), Where<Item>(\.$number == number)) == expected.count)
                #expect(
                    try transaction.fetchObjectIDs(From<Item>(), Where<Item>(\.$number == number)).count
                        == expected.count)
                let first = try transaction.fetchOne(From<Item>(), Where<Item>(\.$number == number))
                #expect(first?.number == expected.first)
            }
            let all = Where<Item>("number", isMemberOf: [1, 55, 61, 201, 325, 400, 61])
            #expect(try Set(numbers(transaction, all)) == [61, 201, 325])
            #expect(try numbers(transaction, \.$code == nil) == [])
        }
    }

    @Test(.pins("FQ-06"), arguments: TestBackend.allCases)
    func `a fetch by an equal value finds an object by its latest value`(_ backend: TestBackend) throws {
        try inTransactions(backend) { transaction throws in
            let item = try #require(try transaction.fetchOne(From<Item>().where(\.$number == 325)))
            let saved = try #require(try transaction.fetchOne(From<Item>().where(\.$number == 61)))
            for number in [501, 502, 501, 503] {
                for (item, number) in [(item, number), (saved, number + 100)] {
                    item.number = number
                    #expect(try numbers(transaction, \.$number == number) == [number])
                    item.price = Double(number)
                    #expect(try numbers(transaction, \.$number == number && \.$price == Double(number)) == [number])
                }
            }
            #expect(try numbers(transaction, Where<Item>("number", isMemberOf: [325, 501, 502, 61, 601, 602])) == [])
            transaction.delete(item, saved)
            #expect(try numbers(transaction, Where<Item>("number", isMemberOf: [503, 603])) == [])
        }
    }

    @Test(.pins("FQ-06"), arguments: TestBackend.allCases)
    func `objects of sibling classes store different values in the same slot`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { transaction throws in
            for number in 1...50 {
                let book = transaction.create(Into<Book>())
                book.pages = number
                let disc = transaction.create(Into<Disc>())
                disc.title = "A title of some length, number \(number)"
            }
            #expect(try transaction.fetchAll(From<Book>().where(\.$pages == 7)).count == 1)
            let title = "A title of some length, number 7"
            #expect(try transaction.fetchAll(From<Disc>().where(\.$title == title)).map(\.title) == [title])
            #expect(try transaction.fetchAll(From<Item>().where(\.$number == 0)).count == 100)
        })
    }

    @Test(.pins("FQ-06"), arguments: TestBackend.allCases)
    func `a fetch with a limit skips objects that pending changes exclude`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { transaction throws in
            for number in 1...100 {
                let item = transaction.create(Into<Item>())
                (item.number, item.price) = (7, Double(number))
            }
        })
        try test.stack.perform(synchronous: { transaction throws in
            for item in try transaction.fetchAll(From<Item>().orderBy(.ascending(\.$price))).prefix(90) {
                if item.price < 50 { item.number = 8 } else { transaction.delete(item) }
            }
            let seven = From<Item>().where(\.$number == 7).orderBy(.ascending(\.$price))
            #expect(try transaction.fetchOne(seven)?.price == 91)
            #expect(try transaction.fetchAll(seven.tweak { $0.fetchLimit = 2 }).map(\.price) == [91, 92])
            #expect(try transaction.fetchAll(seven.tweak { $0.fetchOffset = 8 }).map(\.price) == [99, 100])
            #expect(try transaction.fetchCount(seven) == 10)
        })
    }

    /// Compares fetches by keys with all objects, after each of many random steps.
    @Test(.pins("FQ-06"), arguments: TestBackend.allCases, [1, 2, 3] as [UInt64])
    func `after random changes, a fetch by an equal value finds every matching object`(
        _ backend: TestBackend, _ seed: UInt64
    ) throws {
        let test = try make(backend)
        var random = SeededGenerator(seed: seed)
        let transaction = test.stack.beginUnsafe(supportsUndo: true)
        try change(transaction)
        for step in 1...60 {
            try takeStep(Int.random(in: 0..<14, using: &random), transaction, test.stack, &random)
            // The index is used if there are many pending objects.
            if transaction.insertedObjectIDs().count + transaction.updatedObjectIDs().count < 40 {
                let items = try transaction.fetchAll(From<Item>()).shuffled(using: &random)
                for item in items.prefix(40) { item.price += 1 }
            }
            let all = try transaction.fetchAll(From<Item>())
            for _ in 1...3 {
                let number = Int.random(in: 1...350, using: &random)
                let expected = all.filter { $0.number == number }
                #expect(
                    try Set(transaction.fetchAll(From<Item>().where(\.$number == number))) == Set(expected),
                    "seed \(seed), step \(step), number \(number)")
                let codes = ["c\(number)", "d\(number)"]
                #expect(
                    try Set(transaction.fetchAll(From<Item>(), Where<Item>("code", isMemberOf: codes)))
                        == Set(all.filter { $0.code.map(codes.contains) ?? false }),
                    "seed \(seed), step \(step), codes \(codes)")
            }
        }
    }

    private func takeStep(
        _ step: Int, _ transaction: UnsafeDataTransaction, _ stack: DataStack, _ random: inout SeededGenerator
    ) throws {
        func item(_ source: BaseDataTransaction) throws -> Item? {
            try source.fetchAll(From<Item>()).randomElement(using: &random)
        }
        let number = Int.random(in: 1...350, using: &random)
        switch step {
        case 0...2: try item(transaction)?.number = number
        case 3: try item(transaction)?.code = "d\(number)"
        case 4: set(transaction.create(Into<Item>()), number)
        case 5: transaction.delete(try item(transaction))
        case 6: transaction.undo()
        case 7: transaction.redo()
        case 8: transaction.flush()
        case 9: transaction.refreshAndMergeAllObjects()
        case 10: try transaction.commitAndWait()
        case 11: transaction.rollback()
        case 12:
            let child = transaction.beginUnsafe()
            try item(child)?.number = number
            set(child.create(Into<Item>()), number)
            child.delete(try item(child))
            try child.commitAndWait()
        default:
            try stack.perform(synchronous: { other in try item(other)?.code = "d\(number)" })
        }
    }
}
