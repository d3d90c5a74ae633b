import Coffer
import Foundation
import TestSupport
import Testing

/// Every operator, clause and section of the declarations that `Field` replaced.
@MainActor
struct LegacyOperatorTests {
    @available(*, deprecated)
    private final class Book: CoreStoreObject {
        let title = Value.Required<String>("title", initial: "t")
        let subtitle = Value.Optional<String>("subtitle")
        let cover = Transformable.Required<NSString>("cover", initial: "c")
        let back = Transformable.Optional<NSString>("back")
        let shelf = Relationship.ToOne<Shelf>("shelf")
        let place = Relationship.ToOne<Shelf>("place")
    }

    @available(*, deprecated)
    private final class Shelf: CoreStoreObject {
        let number = Value.Required<Int>("number", initial: 0)
        let room = Value.Optional<String>("room")
        let books = Relationship.ToManyUnordered<Book>("books", inverse: { $0.shelf })
        let row = Relationship.ToManyOrdered<Book>("row", inverse: { $0.place })
    }

    @available(*, deprecated)
    private func makeStack(_ backend: TestBackend) throws -> TestStack {
        try TestStack(
            backend,
            CoreStoreSchema(modelVersion: "V1", entities: [Entity<Book>("OldBook"), Entity<Shelf>("OldShelf")]))
    }

    @available(*, deprecated)
    @Test(.pins("LEG-02"), arguments: TestBackend.allCases)
    func `values are assigned and compared in every combination`(_ backend: TestBackend) throws {
        let test = try makeStack(backend)
        try test.stack.perform(synchronous: { transaction in
            let (one, two) = (transaction.create(Into<Book>()), transaction.create(Into<Book>()))
            one.subtitle .= one.title
            #expect(one.subtitle.value == "t")
            #expect(one.title .== one.subtitle)
            #expect(one.subtitle .== one.title)
            #expect(!(one.title .== two.subtitle))
            #expect(!(two.subtitle .== one.title))
            #expect(two.subtitle .== nil)
            #expect(nil .== two.subtitle)
            #expect(!(nil .== one.subtitle))
            #expect("t" .== one.subtitle)
            #expect(one.subtitle .== "t")
            #expect(!("u" .== one.title))
            let none: String? = nil
            #expect(!(one.title .== none))
            #expect(!(none .== one.title))
            one.subtitle .= two.subtitle
            #expect(one.subtitle .== two.subtitle)
            #expect(one.subtitle.value == nil)
            two.title .= "two"
            #expect(!(one.title .== two.title))
            one.cover .= "cover"
            one.back .= one.cover
            #expect(one.back.value == "cover")
            two.back .= one.back
            two.cover .= one.cover
            #expect(two.back.value == "cover" && two.cover.value == "cover")
            two.back .= nil
            #expect(two.back.value == nil)
        })
        let saved = try test.stack.fetchAll(From<Book>().orderBy(.ascending(\.title)))
        #expect(saved.map(\.back.value) == ["cover", nil])
        #expect(saved.map(\.subtitle.value) == [nil, nil])
    }

    @available(*, deprecated)
    @Test(.pins("LEG-02"), arguments: TestBackend.allCases)
    func `relationships are assigned and compared in every combination`(_ backend: TestBackend) throws {
        let test = try makeStack(backend)
        try test.stack.perform(synchronous: { transaction in
            let books = (0..<3).map { _ in transaction.create(Into<Book>()) }
            let (left, right) = (transaction.create(Into<Shelf>()), transaction.create(Into<Shelf>()))
            books[0].shelf .= left
            #expect(books[0].shelf .== left)
            #expect(left .== books[0].shelf)
            #expect(books[1].shelf .== nil)
            #expect(nil .== books[1].shelf)
            #expect(!(books[1].shelf .== left))
            books[1].shelf .= books[0].shelf
            #expect(books[0].shelf .== books[1].shelf)
            #expect(!(books[0].shelf .== books[2].shelf))
            #expect(left.books .== Set(books[0...1]))
            #expect(Set(books[0...1]) .== left.books)
            #expect(!(left.books .== right.books))
            #expect(right.books .== Set<Book>())
            left.row .= [books[2], books[0], books[2]]
            #expect(left.row .== [books[2], books[0]])
            #expect([books[2], books[0]] .== left.row)
            #expect(!(left.row .== [books[0], books[2]]))
            #expect(!(left.row .== right.row))
            #expect(left.row.startIndex == 0 && left.row.endIndex == 2 && left.row.count == 2)
            #expect(left.row[1] === books[0] && left.row.index(after: 0) == 1)
            #expect(left.row.first === books[2] && left.row.reversed().first === books[0])
            right.books .= left.row
            #expect(right.books .== Set([books[0], books[2]]))
            #expect(left.books .== Set([books[1]]))
            left.books .= right.books
            #expect(left.books.count == 2 && right.books.isEmpty)
            right.row .= left.row
            #expect(right.row .== [books[2], books[0]])
            #expect(left.row.isEmpty)
            books[0].shelf .= nil
            #expect(left.books.map { $0 } == [books[2]])
        })
        let shelves = try test.stack.fetchAll(From<Shelf>())
        #expect(shelves.map(\.row.count).sorted() == [0, 2])
        #expect(shelves.map(\.books.count).sorted() == [0, 1])
    }

    @available(*, deprecated)
    @Test(.pins("LEG-02"), arguments: TestBackend.allCases)
    func `properties are read and changed on their own queue`(_ backend: TestBackend) throws {
        let test = try makeStack(backend)
        try test.stack.perform(synchronous: { _ = $0.create(Into<Book>()) })
        let book = try #require(try test.stack.fetchOne(From<Book>()))
        nonisolated(unsafe) let shared = book
        let log = RecordingLogger.record("'Book' was read outside") {
            DispatchQueue(label: "elsewhere").sync {
                _ = shared.title.value
                _ = shared.subtitle.value
                _ = shared.cover.value
                _ = shared.shelf.value
            }
        }
        #expect(log.assertions.count == 4)
        let refused = RecordingLogger.record("'Book' cannot be changed outside") {
            book.subtitle.value = "x"
            book.shelf.value = nil
            book.title .= "x"
        }
        #expect(refused.assertions.count == 3)
        #expect(book.title.value == "t" && book.subtitle.value == nil)
    }

    /// Runs a closure on another thread, and waits for it.
    nonisolated private static func elsewhere(_ body: @escaping @Sendable () -> Void) {
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            body()
            done.signal()
        }
        done.wait()
    }

    @available(*, deprecated)
    @Test(.pins("LEG-02"), arguments: TestBackend.allCases)
    func `properties of a transaction's objects are changed on its queue`(_ backend: TestBackend) throws {
        let test = try makeStack(backend)
        let text = "'Book' was changed outside its transaction's queue."
        let log = try RecordingLogger.record("'Book' was ") {
            try test.stack.perform(synchronous: { transaction in
                let book = transaction.create(Into<Book>())
                nonisolated(unsafe) let shared = book
                Self.elsewhere {
                    shared.title.value = "x"
                    shared.subtitle .= "y"
                    shared.cover.value = "z"
                }
            })
        }
        #expect(log.assertions.filter { $0 == text }.count == 3)
    }

    @available(*, deprecated)
    @Test(.pins("LEG-05"), arguments: TestBackend.allCases)
    func `every clause accepts an archived property, sections use it, and requests refuse it`(
        _ backend: TestBackend
    ) throws {
        let test = try makeStack(backend)
        let books: [(title: String, cover: NSString, back: NSString?)] = [
            ("a", "red", nil), ("b", "red", "left"), ("c", "blue", "left"),
        ]
        try test.stack.perform(synchronous: { transaction in
            for (title, cover, back) in books {
                let book = transaction.create(Into<Book>())
                book.title.value = title
                book.cover.value = cover
                book.back.value = back
            }
        })
        let (stack, from) = (test.stack, From<Book>())
        let requests: [(name: String, run: () throws -> Void)] = [
            ("cover", { _ = try stack.fetchAll(from.orderBy(.ascending(\.cover))) }),
            ("cover", { _ = try stack.fetchAll(from.orderBy(.descending(\.cover))) }),
            ("cover", { _ = try stack.queryValue(from.select(\.cover)) }),
            ("cover", { _ = try stack.queryValue(from, Select<Book, NSString>(\.cover)) }),
            (
                "cover",
                { _ = try stack.queryAttributes(from.select(NSDictionary.self, .count(\.title)).groupBy(\.cover)) }
            ),
            ("back", { _ = try stack.fetchAll(from.orderBy(.ascending(\.back))) }),
            ("back", { _ = try stack.queryValue(from, Select<Book, NSString>(\.back)) }),
            (
                "back",
                { _ = try stack.queryAttributes(from.select(NSDictionary.self, .count(\.title)).groupBy(\.back)) }
            ),
        ]
        for request in requests {
            let error = #expect(throws: CoreStoreError.self) { try request.run() }
            #expect(error?.storageError?.message.hasPrefix("'OldBook.\(request.name)' is a coded field, ") == true)
        }
        let upper: (String?) -> String? = { $0?.uppercased() }
        let byCover: [SectionMonitorChainBuilder<Book>] = [
            from.sectionBy(\.cover), from.sectionBy(SectionBy(\.cover)),
            from.sectionBy(\.cover, sectionIndexTransformer: upper),
            from.sectionBy(SectionBy(\.cover, sectionIndexTransformer: upper)),
        ]
        let byBack: [SectionMonitorChainBuilder<Book>] = [
            from.sectionBy(\.back), from.sectionBy(SectionBy(\.back)),
            from.sectionBy(\.back, sectionIndexTransformer: upper),
            from.sectionBy(SectionBy(\.back, sectionIndexTransformer: upper)),
        ]
        for (chains, names, counts) in [(byCover, ["red", "blue"], [2, 1]), (byBack, ["", "left"], [1, 2])] {
            for (index, chain) in chains.enumerated() {
                let monitor = stack.monitorSectionedList(chain.orderBy(.ascending(\.title)))
                #expect(monitor.sections().map(\.name) == names)
                #expect(monitor.sections().map(\.numberOfObjects) == counts)
                let titles: [String?] = index < 2 ? [nil, nil] : names.map { $0.uppercased() }
                #expect(monitor.sections().map(\.indexTitle) == titles)
            }
        }
    }

    @available(*, deprecated)
    @Test(.pins("LEG-05"), arguments: TestBackend.allCases)
    func `every clause accepts a legacy property`(_ backend: TestBackend) throws {
        let test = try makeStack(backend)
        try test.stack.perform(synchronous: { transaction in
            for (number, room) in [(1, "hall"), (2, nil), (3, "hall")] {
                let shelf = transaction.create(Into<Shelf>())
                (shelf.number.value, shelf.room.value) = (number, room)
            }
            let book = transaction.create(Into<Book>())
            book.shelf.value = try transaction.fetchOne(From<Shelf>().where(\.number == 2))
            book.back.value = "back"
            transaction.create(Into<Book>()).title.value = "free"
        })
        let stack = test.stack
        let second = try #require(try stack.fetchOne(From<Shelf>().where(\.number == 2)))
        func numbers(_ clause: Where<Shelf>) throws -> [Int] {
            try stack.fetchAll(From<Shelf>().where(clause).orderBy(.ascending(\.number))).map(\.number.value)
        }
        func titles(_ clause: Where<Book>) throws -> [String] {
            try stack.fetchAll(From<Book>().where(clause).orderBy(.ascending(\.title))).map(\.title.value)
        }
        let void: Void? = nil
        #expect(try numbers(Where(\.room, isEqualTo: "hall")) == [1, 3])
        #expect(try numbers(Where(\.room, isEqualTo: void)) == [2])
        #expect(try numbers(Where(\.number, isMemberOf: [1, 2])) == [1, 2])
        #expect(try numbers(Where(\.room, isMemberOf: ["hall"])) == [1, 3])
        #expect(try numbers(Where { $0.room != "hall" }) == [2])
        #expect(try numbers(Where { $0.number > 1 && $0.number <= 3 && [2, 3] ~= $0.number }) == [2, 3])
        #expect(try numbers(Where { ["hall"] ~= $0.room && $0.room >= "a" }) == [1, 3])
        #expect(try titles(Where(\.shelf, isEqualTo: void)) == ["free"])
        #expect(try titles(Where(\.shelf, isEqualTo: second)) == ["t"])
        #expect(try titles(Where(\.shelf, isMemberOf: [second])) == ["t"])
        #expect(try titles(Where(\.shelf, isMemberOf: [second.objectID()])) == ["t"])
        #expect(try titles(Where { [second] ~= $0.shelf }) == ["t"])
        let orders: [OrderBy<Shelf>] = [
            OrderBy(.descending(\.room), .ascending(\.number)), OrderBy(.ascending(\.room), .descending(\.number)),
        ]
        #expect(
            try orders.map { try stack.fetchAll(From<Shelf>(), $0).map(\.number.value) } == [[1, 3, 2], [2, 3, 1]])
        for query in [
            From<Shelf>().select(NSDictionary.self, .attribute(\.room), .count(\.number)).groupBy(\.room),
            From<Shelf>().select(NSDictionary.self, .attribute(\.room), .count(\.number)).appending(
                GroupBy<Shelf>(\.room)),
        ] {
            let rows = try stack.queryAttributes(query.orderBy(.ascending(\.room)))
            #expect(rows.map { $0["count(number)"] as? Int } == [1, 2])
        }
        #expect(GroupBy<Shelf>(\.number) == GroupBy("number") && GroupBy<Book>(\.cover) == GroupBy("cover"))
        #expect(GroupBy<Book>(\.back) == GroupBy("back"))
        #expect(
            try stack.queryValue(From<Shelf>(), Select<Shelf, String>(\.room), Where<Shelf>(\.number == 1)) == "hall")
        #expect(try stack.queryValue(From<Shelf>().select(\.number).where(\.room == nil)) == 2)
        // Like a coded field, an archived property cannot be used in an order, a group or a selection.
        func refusal(_ body: () throws -> Void) -> String? {
            #expect(throws: CoreStoreError.self) { try body() }?.storageError?.message
        }
        let text = "'OldBook.back' is a coded field, which can only be compared with nil, or counted. "
        #expect(refusal { _ = try stack.fetchAll(From<Book>().orderBy(.descending(\.back))) }?.hasPrefix(text) == true)
        #expect(refusal { _ = try stack.queryValue(From<Book>().select(\.back)) }?.hasPrefix(text) == true)
    }

    @available(*, deprecated)
    @Test(.pins("LEG-05"), arguments: TestBackend.allCases)
    func `a legacy property can define sections`(_ backend: TestBackend) throws {
        let test = try makeStack(backend)
        try test.stack.perform(synchronous: { transaction in
            for (number, room) in [(1, "hall"), (2, nil), (3, "hall")] {
                let shelf = transaction.create(Into<Shelf>())
                (shelf.number.value, shelf.room.value) = (number, room)
            }
        })
        let from = From<Shelf>()
        let byRoom: [SectionMonitorChainBuilder<Shelf>] = [
            from.sectionBy(\.room), from.sectionBy(SectionBy(\.room)), from.sectionBy("room"),
            from.sectionBy(\.room, sectionIndexTransformer: { $0 }),
            from.sectionBy(SectionBy(\.room, sectionIndexTransformer: { $0 })),
        ]
        for (index, chain) in byRoom.enumerated() {
            let monitor = test.stack.monitorSectionedList(chain.orderBy(.ascending(\.room), .ascending(\.number)))
            #expect(monitor.sections().map(\.name) == ["", "hall"])
            #expect(monitor.sections().map(\.numberOfObjects) == [1, 2])
            #expect(monitor.sections().map(\.indexTitle) == (index < 3 ? [nil, nil] : ["", "hall"]))
        }
        let byNumber = test.stack.publishList(from.sectionBy(\.number).orderBy(.descending(\.number)))
        #expect(byNumber.snapshot.sectionIDs == ["3", "2", "1"])
    }
}
