import CofferEvaluation
import CofferStorage
import CofferStorageTools
import Foundation
import TestSupport
import Testing

@testable import CofferInMemory

/// The requests of `PlanShape` on 20,000 tracks, compared with an evaluation of all rows.
struct InMemoryPlanTests {
    private static let trackCount = 20_000

    private let model: PlanModel
    private let snapshot: Snapshot

    init() throws {
        model = try PlanModel()
        let loader = InMemoryLoader(model.layout)
        try Self.fill(loader, model.layout)
        snapshot = try loader.content(StoreMetadata(store: UUID(), model: model.layout.model)).snapshot
    }

    /// Adds the content of `PlanModel`, with a tenth of the tracks and links.
    private static func fill(_ loader: InMemoryLoader, _ layout: ModelLayout) throws {
        func add(_ name: String, _ count: Int64, _ values: (Int64) -> [String: Value]) throws {
            let entity = try #require(layout.entity(named: name))
            try loader.add(
                (1...count).map { key in
                    let values = values(key)
                    let list = entity.columns.map { values[$0.name] ?? .null }
                    return try #require(
                        Row.make(entity: entity.index, key: key, version: 1, values: list, kinds: entity.kinds))
                })
        }
        try add("Country", 100) { ["name": .text("country \($0)")] }
        try add("Artist", 2_000) { i in
            [
                "name": .text("artist \(i * 7_919 % 2_000)"), "born": .integer(1_900 + i % 100),
                "country": .integer(1 + i % 100),
            ]
        }
        try add("Album", 20_000) { i in
            [
                "title": .text("album \(i)"), "year": .integer(1_950 + i % 70),
                "artist": i % 100 == 0 ? .null : .integer(1 + i * 7_919 % 2_000),
            ]
        }
        try add("Track", Int64(trackCount)) { i in
            [
                "name": .text("track \(i * 48_271 % 200_003)"), "num": .integer(i * 69_621 % 200_003),
                "age": i % 50 == 0 ? .null : .integer(i * 39_373 % 200_003), "genre": .text("genre \(i % 500)"),
                "rating": .integer(i * 31 % 100), "note": .text("note \(i)"),
                "album": i % 200 == 0 ? .null : .integer(1 + i * 7_907 % 20_000),
            ]
        }
        try add("Tag", 5_000) { ["label": .text("tag \($0)")] }
        try loader.add(
            (1...10_000).map { .init(table: 0, first: 1 + $0 * 31 % 5_000, second: $0 * 2) })
    }

    @Test func `requests find the rows of the reference evaluator and use indexes`() throws {
        let finder = RowFinder(snapshot)
        let evaluator = ReferenceEvaluator(layout: model.layout)
        for shape in PlanShape.all(model) {
            let request: RowRequest
            switch shape.request {
            case .rows(let rows):
                request = rows
                let expected = evaluator.rows(rows, in: snapshot).map(\.key)
                #expect(try finder.rows(rows).map(\.key) == expected, "\(shape)")
                var keys: [Int64] = []
                try finder.forEachRow(rows) { keys.append($0.key) }
                #expect(keys == expected, "\(shape)")
            case .count(let rows):
                request = rows
                #expect(try finder.count(rows) == evaluator.count(rows, in: snapshot), "\(shape)")
            case .values(let values):
                request = values.rows
                #expect(try finder.values(values) == evaluator.values(values, in: snapshot), "\(shape)")
            }
            let planned = try finder.planned(request)
            if case .scan? = planned?.access, planned?.walk == nil { #expect(shape.mayScan, "\(shape)") }
        }
    }

    // MARK: Orders and limits

    /// Returns an order by attributes of tracks, each ascending or descending.
    private func order(_ names: [(String, Bool)]) -> [RowSort] {
        names.map { RowSort(model.path("Track", $0.0), ascending: $0.1) }
    }

    private func track(_ name: String, _ comparison: RowPredicate.Comparison, _ value: Value) -> RowPredicate {
        .compare(model.path("Track", name), comparison, .value(value))
    }

    @Test func `an order whose first column has an index sorts only equal values`() throws {
        let finder = RowFinder(snapshot)
        let evaluator = ReferenceEvaluator(layout: model.layout)
        let orders: [[(String, Bool)]] = [
            [("num", true), ("name", true)], [("num", false), ("name", true)], [("age", true), ("num", false)],
            [("age", false), ("note", false)], [("genre", true), ("note", true)], [("genre", false), ("rating", true)],
            [("genre", true), ("rating", true), ("num", false)], [("genre", false), ("rating", false), ("num", false)],
            [("genre", true)], [("genre", false)], [("name", false), ("genre", true)],
        ]
        let conditions: [RowPredicate] = [
            .constant(true), track("rating", .greater, .integer(50)),
            .or([
                track("age", .greater, .integer(100_000)),
                .and([track("age", .equal, .integer(100_000)), track("num", .less, .integer(1_000))]),
                track("age", .equal, .integer(7)),
            ]),
            track("age", .equal, .null),
            .and([track("genre", .greater, .text("genre 3")), track("genre", .less, .text("genre 4"))]),
        ]
        for (place, names) in orders.enumerated() {
            for condition in [conditions[place % 5], conditions[(place + 2) % 5]] {
                for (offset, limit) in [(0, 10), (95, 45), (19_990, 50)] {
                    var request = model.request("Track", condition, order: order(names), limit: limit)
                    request.offset = offset
                    let expected = evaluator.rows(request, in: snapshot).map(\.key)
                    #expect(try finder.rows(request).map(\.key) == expected, "\(names) \(condition) \(offset) \(limit)")
                }
            }
        }
    }

    @Test func `later pages of an order whose first column has an index walk only a part of the index`() throws {
        let finder = RowFinder(snapshot)
        for names in [
            [("num", true), ("name", true)], [("num", false), ("name", true)], [("age", false), ("num", true)],
        ] {
            let first = model.request("Track", order: order(names), limit: 100)
            let last = try #require(try finder.rows(first).last)
            let values = first.order.map {
                ReferenceEvaluator(layout: model.layout).value($0.expression, of: last, in: snapshot)
            }
            for request in first.following(values, key: last.key) {
                let planned = try #require(try finder.planned(request))
                guard case .index(let order)? = planned.walk else {
                    Issue.record("The order by \(names) does not use an index.")
                    continue
                }
                #expect(order.bounds != .null ... .highest)
            }
        }
    }

    @Test func `a request walks an index only if the index has the requested order`() throws {
        func walk(_ request: RowRequest) throws -> RowWalk? { try RowFinder(snapshot).planned(request)?.walk }
        let folded = RowSort(.function(.lowercase, [model.path("Track", "name")]), ascending: true)
        #expect(try walk(model.request("Track", order: [folded], limit: 10)) == nil)
        #expect(try walk(model.request("Track", order: order([("rating", true)]), limit: 10)) == nil)
        // Without a limit, all rows are sorted at once.
        #expect(try walk(model.request("Track", order: order([("num", true), ("name", true)]))) == nil)
        #expect(try walk(model.request("Track", order: order([("num", true)]))) != nil)
        guard
            case .index(let order)? = try walk(
                model.request("Track", order: order([("genre", true), ("rating", true), ("num", true)]), limit: 10))
        else {
            Issue.record("The compound index is not used.")
            return
        }
        #expect(order.columnCount == 2 && !order.isWhole)
    }

    // MARK: Numbers of related objects

    /// A source of the same rows that counts related rows by reading them.
    private struct ReadSource: RowSource {
        let snapshot: Snapshot
        var layout: ModelLayout { snapshot.layout }
        func forEachRow(root: Int, _ body: (Row) -> Bool) { snapshot.forEachRow(root: root, body) }
        func row(root: Int, key: Int64) -> Row? { snapshot.row(root: root, key: key) }
        func related(_ relationship: Int, of owner: Int64) -> [Row] { snapshot.related(relationship, of: owner) }
    }

    @Test(arguments: RowPredicate.Comparison.allCases)
    func `conditions on counts of related objects find the rows of the reference evaluator`(
        _ comparison: RowPredicate.Comparison
    ) throws {
        let finder = RowFinder(snapshot)
        let evaluator = ReferenceEvaluator(layout: model.layout)
        let title = model.path("Album", "title")
        let titles = RowPredicate.isIn(title, [.text("album 7"), .text("album 2007")])
        let numbers = track("num", .less, .integer(3_000))
        let album = model.relationship("Track", "album")
        let counts: [(String, RowExpression)] = [
            ("Album", .count(relationship: model.relationship("Album", "tracks"))),
            ("Tag", .count(relationship: model.relationship("Tag", "tracks"))),
            ("Album", count("Album", "tracks", numbers)), ("Tag", count("Tag", "tracks", numbers)),
            ("Artist", count("Artist", "albums", titles)),
            ("Track", count("Album", "tracks", numbers, from: [album])),
            ("Country", count("Country", "artists", .constant(true))),
        ]
        for (entity, count) in counts {
            for number in [0, 2] as [Int64] {
                for predicate: RowPredicate in [
                    .compare(count, comparison, .value(.integer(number))),
                    .not(.compare(count, comparison, .value(.integer(number)))),
                ] {
                    let request = model.request(entity, predicate)
                    let expected = evaluator.rows(request, in: ReadSource(snapshot: snapshot)).map(\.key)
                    #expect(try finder.rows(request).map(\.key) == expected, "\(entity) \(predicate)")
                }
            }
        }
    }

    private func count(
        _ entity: String, _ name: String, _ condition: RowPredicate, from path: [Int] = []
    ) -> RowExpression {
        .aggregate(.count, .key, from: path, relationship: model.relationship(entity, name), where: condition)
    }

    @Test func `a count condition on related objects that an index finds becomes a list of keys`() throws {
        let finder = RowFinder(snapshot)
        let few = RowPredicate.compare(
            count("Album", "tracks", track("num", .less, .integer(300))), .greaterOrEqual, .value(.integer(1)))
        let planned = try #require(try finder.planned(model.request("Album", few)))
        guard case .keys(let keys) = planned.access else {
            Issue.record("The albums are not found by their keys.")
            return
        }
        #expect(keys.count < 300)
    }
}
