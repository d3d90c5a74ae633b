import Coffer
import Foundation
import TestSupport
import Testing

/// Conditions on dates that differ in their last bits, compared with the same conditions on an array.
@MainActor
struct DateRequestTests {
    private final class Event: CoreStoreObject {
        @Field.Stored("start") var start: Date = .distantPast
        @Field.Stored("end") var end: Date?
    }

    /// Groups of neighbouring dates, with no other date between them.
    private static let dates: [Date] = {
        var random = SystemRandomNumberGenerator()
        let centers =
            (0..<40).map { _ in Date().timeIntervalSinceReferenceDate }
            + (0..<40).map { _ in Double(bitPattern: random.next()) }.filter { $0.isFinite && $0 != 0 }
        return centers.flatMap { [$0.nextDown, $0, $0.nextUp, $0] }.shuffled()
            .map { Date(timeIntervalSinceReferenceDate: $0) }
    }()

    private func makeStack(_ backend: TestBackend) throws -> TestStack {
        let schema = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Event>("Event", indexes: [[\.$start]])])
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { transaction in
            for (place, date) in Self.dates.enumerated() {
                let event = transaction.create(Into<Event>())
                (event.start, event.end) = (date, place % 5 == 0 ? nil : date)
            }
        })
        return test
    }

    @Test(.pins("CLS-41"), arguments: TestBackend.allCases)
    func `conditions on dates are exact`(_ backend: TestBackend) throws {
        let test = try makeStack(backend)
        let (stack, dates) = (test.stack, Self.dates)
        for date in dates {
            func count(_ clause: Where<Event>) throws -> Int { try stack.fetchCount(From<Event>().where(clause)) }
            #expect(try count(\.$start == date) == dates.count { $0 == date })
            #expect(try count(\.$start != date) == dates.count { $0 != date })
            #expect(try count(\.$start < date) == dates.count { $0 < date })
            #expect(try count(\.$start >= date) == dates.count { $0 >= date })
            #expect(try count(Where("start == %@ AND end == start", date)) <= dates.count { $0 == date })
            let other = dates.randomElement() ?? date
            let (low, high) = (min(date, other), max(date, other))
            #expect(try count(low...high ~= \.$start) == dates.count { (low...high).contains($0) })
            #expect(
                try count(Where("start BETWEEN {%@, %@}", low, high)) == dates.count { (low...high).contains($0) })
            #expect(try count([date, other] ~= \.$start) == dates.count { $0 == date || $0 == other })
        }
        let list = Array(dates.prefix(100)) + (0..<600).map { Date(timeIntervalSinceReferenceDate: Double($0)) }
        let known = Set(list)
        #expect(try stack.fetchCount(From<Event>().where(list ~= \.$start)) == dates.count { known.contains($0) })
        #expect(try stack.fetchAll(From<Event>().orderBy(.ascending(\.$start))).map(\.start) == dates.sorted())
        #expect(
            try stack.fetchAll(From<Event>().orderBy(.descending(\.$start))).map(\.start) == dates.sorted(by: >))
    }

    @Test(.pins("CLS-41"), arguments: TestBackend.allCases)
    func `pending dates are compared as exactly as saved ones`(_ backend: TestBackend) throws {
        let test = try makeStack(backend)
        try test.stack.perform(synchronous: { transaction in
            for event in try transaction.fetchAll(From<Event>()) { event.end = event.start }
            for date in Self.dates {
                #expect(
                    try transaction.fetchCount(From<Event>().where(\.$end == date))
                        == Self.dates.count { $0 == date })
            }
        })
    }

    @Test(.pins("FQ-07"), arguments: TestBackend.allCases)
    func `aggregates and groups of dates are exact`(_ backend: TestBackend) throws {
        let test = try makeStack(backend)
        let (stack, dates) = (test.stack, Self.dates)
        let ends = dates.enumerated().filter { $0.offset % 5 != 0 }.map(\.element)
        #expect(try stack.queryValue(From<Event>().select(Date.self, .minimum(\.$start))) == dates.min())
        #expect(try stack.queryValue(From<Event>().select(Date.self, .maximum(\.$end))) == ends.max())
        #expect(try stack.queryValue(From<Event>().select(Int.self, .count(\.$end))) == ends.count)
        let groups = try stack.queryAttributes(
            From<Event>().select(NSDictionary.self, .attribute(\.$start), .count(\.$start, as: "n")).groupBy(\.$start))
        let counts = Dictionary(grouping: dates, by: \.self).mapValues(\.count)
        #expect(groups.count == counts.count)
        for group in groups {
            let date = try #require(group["start"] as? Date)
            #expect(group["n"] as? Int == counts[date])
        }
    }

    @Test(.pins("FLD-50"), arguments: TestBackend.allCases)
    func `a condition with a date that is NaN is refused`(_ backend: TestBackend) throws {
        let test = try makeStack(backend)
        let nothing = Date(timeIntervalSinceReferenceDate: .nan)
        let clause: Where<Event> = \.$start == nothing
        #expect(clause.predicate.description == "start == nan s since 2001")
        let error = #expect(throws: CoreStoreError.self) { try test.stack.fetchCount(From<Event>().where(clause)) }
        #expect(
            error?.storageError?.message
                == "NaN cannot be used in comparisons or computations. A missing value equals nil.")
    }
}
