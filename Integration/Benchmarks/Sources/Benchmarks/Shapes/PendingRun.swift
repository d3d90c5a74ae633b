import Coffer
import CofferInMemory
import CofferSQLite
import Dispatch
import Foundation

/// Measures fetches in a transaction with many pending objects, by processor time.
///
/// usage: Benchmarks pending COUNT [memory|sqlite] [synchronous|asynchronous|unsafe|child]
///
/// The transaction finds or creates COUNT tracks by their codes, with an album for ten tracks. Each shape of fetches is
/// then run several times with different values, and the number of found objects is compared with the expected one.
struct PendingRun {
    static let command = "pending"

    private static let fetchCount = 400

    private let count: Int
    private let isOnDisk: Bool
    private let kind: String

    init(_ arguments: [String]) throws {
        guard let first = arguments.first, let count = Int(first), count >= 1_000 else {
            throw BenchmarkError("'pending' needs a number of objects, 1000 or more.")
        }
        self.count = count
        isOnDisk = arguments.dropFirst().first == "sqlite"
        kind = arguments.dropFirst(2).first ?? "synchronous"
    }

    func run() throws {
        let place = FileManager.default.temporaryDirectory.appendingPathComponent("coffer-pending-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: place) }
        let stack = DataStack(PendingTrack.schema)
        if isOnDisk {
            try stack.addStorageAndWait(SQLiteStore(fileURL: place.appendingPathComponent("tracks.sqlite")))
        } else {
            try stack.addStorageAndWait(InMemoryStore())
        }
        print("\(count) pending tracks, \(isOnDisk ? "SQLite" : "in memory"), \(kind)")
        switch kind {
        case "synchronous": try stack.perform(synchronous: { try measure($0, $0) })
        case "asynchronous":
            let done = DispatchSemaphore(value: 0)
            stack.perform(
                asynchronous: { transaction in
                    defer { done.signal() }
                    try measure(transaction, transaction)
                    try transaction.cancel()
                }, completion: { _ in })
            done.wait()
        case "unsafe":
            let transaction = stack.beginUnsafe()
            try measure(transaction, transaction)
        case "child":
            let parent = stack.beginUnsafe()
            let child = parent.beginUnsafe()
            try measure(parent, child)
        default: throw BenchmarkError("'\(kind)' is not a kind of transaction.")
        }
    }

    /// Creates the objects in one transaction, and fetches in this transaction or in its child.
    private func measure(_ owner: BaseDataTransaction, _ transaction: BaseDataTransaction) throws {
        var table = Table(heading: ["fetch", "first, ms", "each, µs"])
        let memory = ProcessMemory.allocated()
        let start = Self.seconds()
        try findOrCreate(owner)
        let seconds = Self.seconds() - start
        let bytes = (ProcessMemory.allocated() - memory) / count
        table.add(["find or create by the unique code", "", Self.format(seconds / Double(count) * 1e6)])
        for shape in Self.shapes(count) {
            Progress.show(shape.name)
            let start = Self.seconds()
            try check(shape, 0, transaction)
            let first = Self.seconds()
            for round in 1...Self.fetchCount { try check(shape, round * 7_919 % count, transaction) }
            let each = (Self.seconds() - first) / Double(Self.fetchCount)
            table.add([shape.name, Self.format((first - start) * 1e3), Self.format(each * 1e6)])
        }
        Progress.clear()
        print(table.text)
        let after = (ProcessMemory.allocated() - memory) / count
        print(
            String(format: "%.2f s to find or create; ", seconds)
                + "\(bytes) bytes for each track with its part of an album, \(after) with the indexes of all fetches")
    }

    /// Returns the processor time of this thread, which other processes do not change much.
    private static func seconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func format(_ number: Double) -> String { String(format: "%.2f", number) }

    private func findOrCreate(_ transaction: BaseDataTransaction) throws {
        var album: PendingAlbum?
        for number in 0..<count {
            let code = "code \(number)"
            guard try transaction.fetchOne(From<PendingTrack>().where(\.$code == code)) == nil else {
                throw BenchmarkError("'\(code)' already exists.")
            }
            let track = transaction.create(Into<PendingTrack>())
            (track.code, track.number, track.grade) = (code, number, number % 100)
            (track.name, track.level) = ("name \(number * 31 % count)", number / 10)
            if number % 10 == 0 {
                album = transaction.create(Into<PendingAlbum>())
                album?.title = "album \(number / 10)"
            }
            track.album = album
        }
    }

    private func check(_ shape: Shape, _ number: Int, _ transaction: BaseDataTransaction) throws {
        let found = try shape.fetch(transaction, number)
        guard found == shape.expected(number) else {
            throw BenchmarkError("\(shape.name), \(number): \(found) objects, expected \(shape.expected(number)).")
        }
    }

    // MARK: - Shapes

    private struct Shape {
        let name: String
        let expected: (Int) -> Int
        let fetch: Fetch

        typealias Fetch = (BaseDataTransaction, Int) throws -> Int
    }

    /// The fetches, and the number of objects that each finds.
    private static func shapes(_ count: Int) -> [Shape] {
        let tracks = From<PendingTrack>()
        let albums = From<PendingAlbum>()
        func ordered(
            _ condition: @escaping (Int) -> Where<PendingTrack>, _ keys: OrderBy<PendingTrack>.SortKey...
        ) -> Shape.Fetch {
            { transaction, number in
                try transaction.fetchAll(
                    tracks, condition(number), OrderBy<PendingTrack>(keys), Tweak { $0.fetchLimit = 10 }
                ).count
            }
        }
        func rest(_ first: Int) -> Int { min(10, count - first) }
        return [
            Shape(name: "an unknown unique code", expected: { _ in 0 }) {
                try $0.fetchAll(tracks.where(\.$code == "none \($1)")).count
            },
            Shape(name: "an indexed attribute", expected: { rest($0 / 10 * 10) }) {
                try $0.fetchAll(tracks.where(\.$level == $1 / 10)).count
            },
            Shape(name: "a range of an indexed attribute", expected: rest) {
                try $0.fetchAll(tracks.where(\.$number >= $1 && \.$number < $1 + 10)).count
            },
            Shape(name: "a count of a range", expected: rest) {
                try $0.fetchCount(tracks.where(\.$number >= $1 && \.$number < $1 + 10))
            },
            Shape(name: "two conditions", expected: { _ in 1 }) {
                try $0.fetchAll(tracks.where(\.$grade == $1 % 100 && \.$number == $1)).count
            },
            Shape(name: "the first object", expected: { _ in 1 }) { transaction, _ in
                try transaction.fetchOne(tracks) == nil ? 0 : 1
            },
            Shape(name: "the first object of a grade", expected: { _ in 1 }) {
                try $0.fetchOne(tracks.where(\.$grade == $1 % 100)) == nil ? 0 : 1
            },
            Shape(
                name: "ten in an order", expected: { min(10, $0 + 1) },
                fetch: ordered({ Where("number <= %d", $0) }, .descending(\.$number))),
            Shape(
                name: "ten in an order by two attributes", expected: { _ in 10 },
                fetch: ordered({ Where("level <= %d", $0 / 10) }, .descending(\.$level), .ascending(\.$name))),
            Shape(name: "a path", expected: { rest($0 / 10 * 10) }) {
                try $0.fetchAll(tracks, Where<PendingTrack>("album.title == %@", "album \($1 / 10)")).count
            },
            Shape(name: "ANY", expected: { _ in 1 }) {
                try $0.fetchAll(albums, Where<PendingAlbum>("ANY tracks.number == %d", $1)).count
            },
            Shape(name: "a number of related objects, and a title", expected: { _ in 1 }) {
                try $0.fetchAll(
                    albums, Where<PendingAlbum>("title == %@ AND tracks.@count >= 1", "album \($1 / 10)")
                ).count
            },
        ]
    }
}

private final class PendingTrack: CoreStoreObject {
    @Field.Stored("code") var code: String = ""
    @Field.Stored("number") var number: Int = 0
    @Field.Stored("grade") var grade: Int = 0
    @Field.Stored("level") var level: Int = 0
    @Field.Stored("name") var name: String = ""
    @Field.Relationship("album") var album: PendingAlbum?

    static let schema = CoreStoreSchema(
        modelVersion: "V1",
        entities: [
            Entity<PendingTrack>(
                "Track", indexes: [[\.$number], [\.$level]], uniqueConstraints: [[\.$code]]),
            Entity<PendingAlbum>("Album", indexes: [[\.$title]]),
        ])
}

private final class PendingAlbum: CoreStoreObject {
    @Field.Stored("title") var title: String = ""
    @Field.Relationship("tracks", inverse: \.$album) var tracks: Set<PendingTrack>
}
