import CofferEvaluation
import CofferStorage
import Foundation
import TestSupport
import Testing

@testable import CofferInMemory

/// The shapes of requests of `PlanShape` on 20,000 tracks, against an evaluation of all rows.
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

    /// The content of `PlanModel`, with a tenth of the tracks and links.
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

    @Test func `requests find the rows of an evaluation of all rows, and use indexes`() throws {
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
            let access = try finder.planned(request)?.access
            if case .scan? = access { #expect(shape.mayScan || Self.scanned.contains(shape.description), "\(shape)") }
        }
    }

    /// The shapes whose first row a scan finds at once.
    private static let scanned: Set = ["one hop, a long range, first row", "any, a long range, first row"]
}
