import Coffer
import CofferTransactions
import TestSupport
import Testing

/// The number of pending objects that a fetch evaluates, for few and for many pending objects.
@MainActor
struct PendingVisitTests {
    private typealias Item = Catalogue.Item
    private typealias Album = Catalogue.Album

    /// Creates numbered items, every tenth one in its own album, and changes and deletes some of them.
    private func change(_ transaction: BaseDataTransaction, _ count: Int) throws {
        for number in 0..<count {
            let item = transaction.create(Into<Item>())
            (item.number, item.grade, item.code) = (number, number % 4, "c\(number)")
            item.weight = Double(number)
            guard number % 10 == 0 else { continue }
            let album = transaction.create(Into<Album>())
            album.name = "n\(number)"
            item.album = album
        }
        for item in try transaction.fetchAll(From<Item>().where(\.$number < 20)) where item.number % 2 == 0 {
            item.weight = -1
        }
        transaction.delete(try transaction.fetchAll(From<Item>().where(\.$number > count - 4)))
    }

    private func shapes(_ last: Int) -> [(name: String, found: Int, fetch: (BaseDataTransaction) throws -> Int)] {
        func all(_ format: String) -> (BaseDataTransaction) throws -> Int {
            { try $0.fetchAll(From<Item>(), Where<Item>(format)).count }
        }
        func limited(
            _ limit: Int, _ keys: [OrderBy<Item>.SortKey], _ format: String = "TRUEPREDICATE"
        ) -> (BaseDataTransaction) throws -> Int {
            {
                try $0.fetchAll(
                    From<Item>(), Where<Item>(format), OrderBy<Item>(keys), Tweak { $0.fetchLimit = limit }
                ).count
            }
        }
        return [
            ("equal", 1, all("number == 77")),
            ("two conditions", 1, all("grade == 1 AND code == 'c77'")),
            ("list", 2, all("code IN {'c7', 'c78', 'x'}")),
            ("alternatives", 2, all("code == 'c7' OR number == 78")),
            ("range", 5, all("number > 70 AND number <= 75")),
            ("range at the end", 2, all("number >= \(last - 1)")),
            ("beginning of a text", 1, all("code BEGINSWITH 'c78' AND number < 100")),
            ("path", 1, all("album.name == 'n70'")),
            ("first", 1, { try $0.fetchOne(From<Item>()) == nil ? 0 : 1 }),
            ("first of a grade", 1, { try $0.fetchOne(From<Item>().where(\.$grade == 3)) == nil ? 0 : 1 }),
            ("greatest", 3, limited(3, [.descending(\.$number)])),
            ("least", 3, limited(3, [.ascending(\.$weight), .ascending(\.$number)], "weight >= 0")),
            ("least text", 3, limited(3, [.ascending(\.$code)])),
            ("count", 1, { try $0.fetchCount(From<Item>().where(\.$number == 77)) }),
            ("ids", 1, { try $0.fetchObjectIDs(From<Item>().where(\.$number == 77)).count }),
            ("owner", 1, { try $0.fetchAll(From<Album>(), Where<Album>("ANY items.number == 70")).count }),
            ("other class", 0, { try $0.fetchAll(From<Catalogue.Tag>(), Where<Catalogue.Tag>("name == 'x'")).count }),
        ]
    }

    private func visits(_ transaction: BaseDataTransaction, _ body: () throws -> Void) rethrows -> Int {
        let before = transaction._graph.state.visitedPendingCount
        try body()
        return transaction._graph.state.visitedPendingCount - before
    }

    @Test(.pins("FQ-06"), arguments: TestBackend.allCases)
    func `a fetch evaluates about as many pending objects as it finds, not all pending objects`(
        _ backend: TestBackend
    ) throws {
        for count in [400, 1_600] {
            let test = try TestStack(backend, Catalogue.schema)
            let unsafe = test.stack.beginUnsafe(supportsUndo: true)
            try change(unsafe, count)
            try check(unsafe, count)
            // A child transaction fetches from the pending objects of its parent.
            try check(unsafe, count, in: unsafe.beginUnsafe())
            try test.stack.perform(synchronous: { transaction throws in
                try change(transaction, count)
                try check(transaction, count)
            })
        }
    }

    /// - Parameters:
    ///   - transaction: the transaction with the pending objects.
    ///   - child: the child that fetches, if it is not the transaction itself.
    private func check(
        _ transaction: BaseDataTransaction, _ count: Int, in child: BaseDataTransaction? = nil
    ) throws {
        for shape in shapes(count - 4) {
            // The first fetch creates the index.
            _ = try shape.fetch(child ?? transaction)
            var found = 0
            let visits = try visits(transaction) { found = try shape.fetch(child ?? transaction) }
            #expect(found == shape.found, "\(shape.name) of \(count)")
            #expect(visits <= 2 * shape.found + 14, "\(shape.name) of \(count): \(visits)")
        }
    }

    @Test(.pins("FQ-06"), arguments: TestBackend.allCases)
    func `a loop that fetches and changes one object at a time reads each object a few times`(
        _ backend: TestBackend
    ) throws {
        let count = 600
        let probed = try ProbedStack(backend, Catalogue.schema)
        try probed.stack.perform(synchronous: { transaction in
            for number in 0..<count { transaction.create(Into<Item>()).number = number }
        })
        _ = probed.store.takeRequests()
        var numbers: [Int] = []
        try probed.stack.perform(synchronous: { transaction throws in
            let visits = try visits(transaction) {
                while let item = try transaction.fetchOne(From<Item>().where(\.$grade == 0)) {
                    numbers.append(item.number)
                    item.grade = 1
                }
            }
            #expect(visits < count * 3)
        })
        #expect(numbers == Array(0..<count))
        #expect(probed.store.takeRequests().count < 30)
    }

    @Test(.pins("FQ-06"), arguments: TestBackend.allCases)
    func `a find-or-create loop evaluates each object only a few times`(
        _ backend: TestBackend
    ) throws {
        let count = 1_000
        let test = try TestStack(backend, Catalogue.schema)
        try test.stack.perform(synchronous: { transaction throws in
            let visits = try visits(transaction) {
                for number in 0..<count * 2 {
                    let (grade, number) = (number % 2, number % count)
                    let found = try transaction.fetchOne(
                        From<Item>(), Where<Item>("grade == %d AND number == %d", grade, number))
                    let item = found ?? transaction.create(Into<Item>())
                    (item.grade, item.number) = (grade, number)
                    item.weight += 1
                }
            }
            #expect(visits < count * 8)
            #expect(try transaction.fetchCount(From<Item>()) == count)
        })
    }

    @Test(.pins("FQ-06"), arguments: TestBackend.allCases)
    func `conditions on related objects read only the owners of changed objects`(
        _ backend: TestBackend
    ) throws {
        for count in [500, 2_000] {
            let probed = try ProbedStack(backend, Catalogue.schema)
            try probed.stack.perform(synchronous: { transaction in
                for number in 0..<count {
                    let album = transaction.create(Into<Album>())
                    (album.name, album.year) = ("n\(number)", number)
                    for place in 0..<6 where number % 100 != place {
                        let item = transaction.create(Into<Item>())
                        (item.number, item.album) = (number * 10 + place, album)
                    }
                }
            })
            try probed.stack.perform(synchronous: { transaction throws in
                let last = try #require(try transaction.fetchOne(From<Album>().where(\.$year == count - 1)))
                let first = try #require(try transaction.fetchOne(From<Album>().where(\.$year == 8)))
                for item in try transaction.fetchAll(From<Item>().where(\.$number >= count * 10 - 8)) {
                    item.album = first
                }
                let new = transaction.create(Into<Item>())
                (new.number, new.album) = (-1, try transaction.fetchOne(From<Album>().where(\.$year == 9)))
                first.name = "a"
                for (format, expected) in [
                    ("items.@count > 6", [8, 9]), ("items.@count == 0", [Int]()),
                    ("items.@sum.number < 80", [0, 1]), ("items.@min.number < 0", [9]),
                    ("items.@max.number >= \(count * 10 - 8)", [8]),
                ] {
                    try check(format, expected, transaction, probed, count)
                }
                #expect(try transaction.fetchAll(From<Item>().where(\.$album == last)).count == 2)
                // One request loads the relationship of all objects that match the other condition.
                _ = probed.store.takeRequests()
                let format = "year >= 100 AND year < 900 AND items.@count == 5"
                let found = try transaction.fetchAll(From<Album>(), Where<Album>(format)).map(\.year)
                #expect(found.count == (100..<min(900, count)).count { (0..<6).contains($0 % 100) })
                #expect(probed.store.takeRequests().count < 12)
            })
        }
    }

    /// Compares the years of the albums that a condition finds, and checks the number of rows that are read.
    private func check(
        _ format: String, _ years: [Int], _ transaction: BaseDataTransaction, _ probed: ProbedStack, _ count: Int
    ) throws {
        _ = probed.store.takeReadRowCount()
        let found = try transaction.fetchAll(
            From<Album>(), Where<Album>(format), OrderBy<Album>(.ascending(\.$year)))
        #expect(found.map(\.year) == years, "\(format) of \(count)")
        #expect(probed.store.takeReadRowCount() < 120, "\(format) of \(count)")
        let numbers = try transaction.fetchAll(
            From<Item>(), OrderBy<Item>(.ascending("album.name"), .ascending(\.$number)), Tweak { $0.fetchLimit = 3 }
        ).map(\.number)
        #expect(numbers == [80, 81, 82])
        #expect(probed.store.takeReadRowCount() < 120, "an order by a path of \(count)")
    }
}
