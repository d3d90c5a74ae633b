import Coffer
import CofferStorage
import CofferStorageTools
import Foundation
import TestSupport
import Testing

/// Dates that a store returns exactly as they were set, to the last bit.
@MainActor
struct ExactDateTests {
    private enum V1 {
        final class Event: CoreStoreObject {
            @Field.Stored("place") var place: Int = 0
            @Field.Stored("start") var start: Date = .distantPast
            @Field.Stored("end") var end: Date?
        }

        static let schema = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Event>("Event")])
    }

    /// A version with changes that force every store to move the dates.
    private enum V2 {
        final class Event: CoreStoreObject {
            @Field.Stored("place") var place: Int = 0
            @Field.Stored("start") var start: Date = .distantPast
            @Field.Stored("until", previousVersionKeyPath: "end") var until: Date?
            @Field.Stored("title") var title: String = ""
        }

        static let schema = CoreStoreSchema(modelVersion: "V2", entities: [Entity<Event>("Event")])
    }

    /// Dates of the clock, finite doubles with random bits, and special values.
    private static let dates: [Date] = {
        var random = SystemRandomNumberGenerator()
        let bits = (0..<1_000).map { _ in Double(bitPattern: random.next()) }.filter(\.isFinite)
        let special = [
            0, 1.123_456_789, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, .greatestFiniteMagnitude,
            -.greatestFiniteMagnitude, .infinity, -.infinity, 0x1p53 + 2, -0x1p63, 0x1p63,
        ]
        return (0..<1_000).map { _ in Date() } + (bits + special).map { Date(timeIntervalSinceReferenceDate: $0) }
            + [.distantPast, .distantFuture, .now, Date(timeIntervalSince1970: 0)]
    }()

    private static let ends = dates.enumerated().map { $0 % 3 == 0 ? nil : $1 }

    private static func fill(_ transaction: SynchronousDataTransaction) {
        for (place, date) in dates.enumerated() {
            let event = transaction.create(Into<V1.Event>())
            (event.place, event.start, event.end) = (place, date, ends[place])
        }
    }

    /// Returns the number of dates in a list that differ in any bit from the expected dates.
    private static func differences(_ found: [Date?], _ expected: [Date?]) -> Int {
        func bits(_ date: Date?) -> UInt64? { date?.timeIntervalSinceReferenceDate.bitPattern }
        return abs(found.count - expected.count) + zip(found, expected).count { bits($0) != bits($1) }
    }

    private func check(_ events: [V1.Event], _ location: SourceLocation = #_sourceLocation) {
        #expect(Self.differences(events.map(\.start), Self.dates) == 0, sourceLocation: location)
        #expect(Self.differences(events.map(\.end), Self.ends) == 0, sourceLocation: location)
    }

    private func check(_ store: any StorageInterface, _ location: SourceLocation = #_sourceLocation) throws {
        let stack = DataStack(V1.schema)
        try TestStack.add(store, to: stack)
        check(try stack.fetchAll(From<V1.Event>().orderBy(.ascending(\.$place))), location)
        stack.unsafeRemoveAllPersistentStoresAndWait()
    }

    @Test(.pins("FLD-50"), arguments: TestBackend.allCases)
    func `a date is equal in the transaction, in the stack and in another stack`(_ backend: TestBackend) throws {
        let place = try Place(backend)
        let stack = DataStack(V1.schema)
        try TestStack.add(place.makeStore(), to: stack)
        try stack.perform(synchronous: { transaction in
            Self.fill(transaction)
            check(try transaction.fetchAll(From<V1.Event>().orderBy(.ascending(\.$place))))
        })
        check(try stack.fetchAll(From<V1.Event>().orderBy(.ascending(\.$place))))
        // The same dates are saved again, by an update instead of an insert.
        try stack.perform(synchronous: { transaction in
            for event in try transaction.fetchAll(From<V1.Event>()) {
                event.start = Self.dates[Self.dates.count - 1 - event.place]
            }
        })
        let moved = try stack.fetchAll(From<V1.Event>().orderBy(.descending(\.$place))).map(\.start)
        #expect(Self.differences(moved, Self.dates) == 0)
        try stack.perform(synchronous: { transaction in
            for event in try transaction.fetchAll(From<V1.Event>()) { event.start = Self.dates[event.place] }
        })
        stack.unsafeRemoveAllPersistentStoresAndWait()
        try check(place.makeStore())
    }

    @Test(.pins("FLD-50"), arguments: TestBackend.allCases, TestBackend.allCases)
    func `a copy of a store keeps the exact dates`(_ source: TestBackend, _ target: TestBackend) throws {
        let (from, to) = (try Place(source), try Place(target))
        try from.fill(V1.schema) { Self.fill($0) }
        let store = try from.makeStore()
        let layout = try ModelLayout(try #require(try store.inspect()).model)
        _ = try store.open(layout)
        let copy = try to.makeStore()
        try store.copy(layout, to: copy)
        let summary = try store.read { reader throws(StorageError) in try reader.summary(layout) }
        _ = try copy.open(layout)
        #expect(try copy.read { reader throws(StorageError) in try reader.summary(layout) } == summary)
        copy.close()
        store.close()
        try check(copy)
    }

    @Test(.pins("FLD-50"), arguments: TestBackend.allCases)
    func `an inferred migration keeps dates as they are`(_ backend: TestBackend) async throws {
        let place = try Place(backend)
        try place.fill(V1.schema) { Self.fill($0) }
        let stack = try await place.stack(V1.schema, V2.schema)
        let events = try stack.fetchAll(From<V2.Event>().orderBy(.ascending(\.$place)))
        #expect(Self.differences(events.map(\.start), Self.dates) == 0)
        #expect(Self.differences(events.map(\.until), Self.ends) == 0)
        stack.unsafeRemoveAllPersistentStoresAndWait()
    }

    @Test(.pins("FLD-50"), arguments: TestBackend.allCases)
    func `a custom migration keeps dates as they are`(_ backend: TestBackend) async throws {
        let provider = CustomSchemaMappingProvider(
            from: "V1", to: "V2",
            entityMappings: [
                .transformEntity(
                    sourceEntity: "Event", destinationEntity: "Event",
                    transformer: { source, createDestination in
                        let destination = createDestination()
                        destination["place"] = source["place"]
                        // The two dates are exchanged, in the types that a program uses.
                        destination["start"] = source["end"] as? Date ?? source["start"]
                        destination["until"] = source["start"]
                    })
            ])
        let place = try Place(backend, [provider])
        try place.fill(V1.schema) { Self.fill($0) }
        let stack = try await place.stack(V1.schema, V2.schema)
        let events = try stack.fetchAll(From<V2.Event>().orderBy(.ascending(\.$place)))
        #expect(Self.differences(events.map(\.start), Self.dates) == 0)
        #expect(Self.differences(events.map(\.until), Self.dates) == 0)
        stack.unsafeRemoveAllPersistentStoresAndWait()
    }
}
