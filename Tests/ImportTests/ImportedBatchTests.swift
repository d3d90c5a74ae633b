import Coffer
import TestSupport
import Testing

/// Imports of sources that arrive over time.
struct ImportedBatchTests {
    final class Reading: CoreStoreObject, ImportableUniqueObject {
        @Field.Stored("number") var number: Int = -1
        @Field.Stored("value") var value: Int = 0

        struct Source: Sendable {
            var number: Int
            var value: Int
        }

        typealias ImportSource = Source
        static var uniqueIDKeyPath: String { "number" }

        static func uniqueID(from source: Source, in transaction: BaseDataTransaction) throws -> Int? { source.number }

        func didInsert(from source: Source, in transaction: BaseDataTransaction) throws {
            (number, value) = (source.number, source.value)
        }

        func update(from source: Source, in transaction: BaseDataTransaction) throws {
            if source.value < 0 { throw Refusal(method: "update") }
            value = source.value
        }
    }

    private static let schema = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Reading>("Reading")])

    /// Sources that count how many elements were requested.
    private struct Meter: AsyncSequence, AsyncIteratorProtocol {
        let values: [Int]
        var failsAt: Int?
        var place = 0
        let asked: @Sendable () -> Void

        func makeAsyncIterator() -> Meter { self }

        mutating func next() async throws -> Reading.Source? {
            asked()
            if place == failsAt { throw Refusal(method: "next") }
            guard place < values.count else { return nil }
            defer { place += 1 }
            return Reading.Source(number: values[place], value: place)
        }
    }

    private static func readings(_ stack: DataStack) throws -> [String] {
        try stack.read {
            try $0.fetchAll(From<Reading>().orderBy(.ascending(\.$number))).map { "\($0.number):\($0.value)" }
        }
    }

    @Test(.pins("IMP-10", "RX-06"), arguments: TestBackend.allCases)
    func `an asynchronous sequence of sources is imported in batches and read on demand`(
        _ backend: TestBackend
    ) async throws {
        let test = try TestStack(backend, Self.schema)
        nonisolated(unsafe) var asked = 0
        let meter = Meter(values: [1, 2, 3, 2, 5]) { asked += 1 }
        let batches = test.stack.async.importUniqueObjects(Into<Reading>(), from: meter, batchSize: 2)
        #expect(asked == 0)
        var iterator = batches.makeAsyncIterator()
        let first = try await iterator.next()
        #expect(first?.count == 2 && asked == 2)
        #expect(try Self.readings(test.stack) == ["1:0", "2:1"])
        let second = try await iterator.next()
        // A source of a later batch updates the object of an earlier one.
        #expect(second?.count == 2 && second?.last == first?.last)
        #expect(try await iterator.next()?.count == 1)
        #expect(try await iterator.next() == nil)
        #expect(try Self.readings(test.stack) == ["1:0", "2:3", "3:2", "5:4"])
    }

    @Test(.pins("RX-06"), arguments: TestBackend.allCases)
    func `objects without an id are imported in batches`(_ backend: TestBackend) async throws {
        let test = try TestStack(backend, Self.schema)
        let meter = Meter(values: [7, 7, 7]) {}
        var counts: [Int] = []
        for try await ids in test.stack.async.importObjects(Into<Reading>(), from: meter, batchSize: 0) {
            counts.append(ids.count)
        }
        #expect(counts == [1, 1, 1])
        #expect(try Self.readings(test.stack).count == 3)
    }

    @Test(.pins("RX-06"), arguments: TestBackend.allCases)
    func `a failed batch is not saved and ends the loop, and earlier batches stay saved`(
        _ backend: TestBackend
    ) async throws {
        let test = try TestStack(backend, Self.schema)
        let sources = AsyncStream { continuation in
            for (number, value) in [(1, 1), (2, 2), (3, 3), (1, -1), (4, 4)] {
                continuation.yield(Reading.Source(number: number, value: value))
            }
            continuation.finish()
        }
        var batches = test.stack.async.importUniqueObjects(Into<Reading>(), from: sources, batchSize: 2)
            .makeAsyncIterator()
        _ = try await batches.next()
        let error = await #expect(throws: CoreStoreError.self) { try await batches.next() }
        guard case .userError(let thrown)? = error else { throw Refusal(method: "no user error") }
        #expect(thrown as? Refusal == Refusal(method: "update"))
        #expect(try await batches.next() == nil)
        #expect(try Self.readings(test.stack) == ["1:1", "2:2"])
    }

    @Test(.pins("RX-06"), arguments: TestBackend.allCases)
    func `an error of the source sequence is thrown, and its unfinished batch is not imported`(
        _ backend: TestBackend
    ) async throws {
        let test = try TestStack(backend, Self.schema)
        let meter = Meter(values: [1, 2, 3], failsAt: 3) {}
        var batches = test.stack.async.importUniqueObjects(Into<Reading>(), from: meter, batchSize: 2)
            .makeAsyncIterator()
        _ = try await batches.next()
        await #expect(throws: Refusal(method: "next")) { try await batches.next() }
        #expect(try await batches.next() == nil)
        #expect(try Self.readings(test.stack) == ["1:0", "2:1"])
    }

    @Test(.pins("RX-06"), arguments: TestBackend.allCases)
    func `a cancelled import saves no part of a batch`(_ backend: TestBackend) async throws {
        let test = try TestStack(backend, Self.schema)
        let stack = test.stack
        // The stream has one source and does not end, so only the cancellation ends the import.
        let (sources, continuation) = AsyncStream<Reading.Source>.makeStream()
        let (isReading, report) = AsyncStream<Void>.makeStream()
        let task = Task {
            let watched = sources.map { source in
                report.yield()
                return source
            }
            for try await _ in stack.async.importUniqueObjects(Into<Reading>(), from: watched, batchSize: 2) {}
        }
        continuation.yield(Reading.Source(number: 1, value: 1))
        for await _ in isReading { break }
        task.cancel()
        await #expect(throws: CoreStoreError.userCancelled) { try await task.value }
        #expect(try Self.readings(stack) == [])
    }
}
