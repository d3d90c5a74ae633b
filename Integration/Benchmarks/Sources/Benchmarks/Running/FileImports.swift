import Coffer
import CofferSQLite
import Dispatch
import Foundation

/// Imports whole files on SQLite, and prints the time and the peak memory.
///
/// usage: Benchmarks import lines COUNT
///        Benchmarks import films FOLDER
struct FileImports {
    static let command = "import"

    private let arguments: [String]
    private let place: URL

    init(_ arguments: [String]) throws {
        guard arguments.count == 2, ["lines", "films"].contains(arguments[0]) else {
            throw BenchmarkError("'import' needs 'lines COUNT' or 'films FOLDER'.")
        }
        self.arguments = arguments
        place = FileManager.default.temporaryDirectory.appendingPathComponent("coffer-import-\(UUID().uuidString)")
    }

    func run() throws {
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: place) }
        if arguments[0] == "lines" {
            guard let count = Int(arguments[1]) else { throw BenchmarkError("'\(arguments[1])' is not a number.") }
            try importLines(count)
        } else {
            try importFilms(URL(fileURLWithPath: arguments[1], isDirectory: true))
        }
    }

    /// Imports people from a file of JSON lines in batches, twice: first they are created, then updated.
    private func importLines(_ count: Int) throws {
        let file = place.appendingPathComponent("people.jsonl")
        try writeLines(count, to: file)
        let stack = DataStack(
            CoreStoreSchema(modelVersion: "V1", entities: [Entity<Guest>("Guest", indexes: [[\.$number]])]))
        try stack.addStorageAndWait(SQLiteStore(fileURL: place.appendingPathComponent("guests.sqlite")))
        let records = try RecordFile(file)
        let options = ImportOptions(transactions: .batches(of: 10_000))
        for _ in 1...2 {
            let start = ContinuousClock.now
            let report = try wait {
                try await stack.async.importUniqueObjects(Into<Guest>(), from: records, options: options)
            }
            show(report.description, since: start)
        }
        let size = try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        print("\(try stack.fetchCount(From<Guest>())) objects, a file of \(size / 1_000_000) MB")
    }

    private func writeLines(_ count: Int, to file: URL) throws {
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        var text = ""
        for number in 0..<count {
            let score = Double(number % 800) / 8
            text += #"{"number": \#(number), "name": "Guest number \#(number)", "score": \#(score)}"# + "\n"
            if text.utf8.count > 1 << 20 || number == count - 1 {
                try handle.write(contentsOf: Data(text.utf8))
                text = ""
            }
        }
        try handle.close()
    }

    /// Imports the films of the data set wikipedia-movies, with their casts and genres, twice.
    private func importFilms(_ folder: URL) throws {
        let stack = DataStack(Film.schema)
        try stack.addStorageAndWait(SQLiteStore(fileURL: place.appendingPathComponent("films.sqlite")))
        for _ in 1...2 {
            let start = ContinuousClock.now
            var films: [Film.ImportSource] = []
            for decade in [1900, 1980, 1990, 2000, 2010, 2020] {
                let file = try RecordFile(folder.appendingPathComponent("movies-\(decade)s.json"))
                var reader = try RecordReader<Film.ImportSource>(file)
                while let record = try reader.next() { films.append(try record.content.get()) }
            }
            show("\(films.count) films read", since: start)
            try stack.perform(synchronous: { try Film.importAll(films, in: $0) })
            show(
                "\(try stack.fetchCount(From<Film>())) films, \(try stack.fetchCount(From<Actor>())) people, "
                    + "\(try stack.fetchCount(From<Genre>())) genres", since: start)
        }
    }

    private func show(_ text: String, since start: ContinuousClock.Instant) {
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        print(String(format: "%.2f s, peak memory %d MB: ", seconds, ProcessMemory.peak() / 1_024) + text)
    }

    private func wait<Output: Sendable>(_ body: @escaping @Sendable () async throws -> Output) throws -> Output {
        let done = DispatchSemaphore(value: 0)
        let result = Locker<Output>()
        Task {
            do { result.value = .success(try await body()) } catch { result.value = .failure(error) }
            done.signal()
        }
        done.wait()
        guard let outcome = result.value else { throw BenchmarkError("The import has no result.") }
        return try outcome.get()
    }

    // Sendable: the value is written before the semaphore is signalled, and read after that.
    private final class Locker<Output>: @unchecked Sendable {
        var value: Result<Output, any Error>?
    }
}

private final class Guest: CoreStoreObject, ImportableUniqueObject {
    struct ImportSource: Decodable {
        var number: Int
        var name: String
        var score: Double
    }

    @Field.Stored("number") var number: Int = 0
    @Field.Stored("name") var name: String = ""
    @Field.Stored("score") var score: Double = 0

    static var uniqueIDKeyPath: String { "number" }

    static func uniqueID(from source: ImportSource, in transaction: BaseDataTransaction) throws -> Int? {
        source.number
    }

    func update(from source: ImportSource, in transaction: BaseDataTransaction) throws {
        (name, score) = (source.name, source.score)
    }
}

private final class Film: CoreStoreObject, ImportableUniqueObject {
    struct ImportSource: Decodable {
        var title: String
        var year: Int
        var cast: [String]
        var genres: [String]
        var extract: String?

        var code: String { "\(title) (\(year))" }
    }

    @Field.Stored("code") var code: String = ""
    @Field.Stored("title") var title: String = ""
    @Field.Stored("year") var year: Int = 0
    @Field.Stored("extract") var extract: String?
    @Field.Relationship("cast") var cast: Set<Actor>
    @Field.Relationship("genres") var genres: Set<Genre>

    static var uniqueIDKeyPath: String { "code" }

    static func uniqueID(from source: ImportSource, in transaction: BaseDataTransaction) throws -> String? {
        source.code
    }

    func update(from source: ImportSource, in transaction: BaseDataTransaction) throws {
        (title, year, extract) = (source.title, source.year, source.extract)
    }

    static var schema: CoreStoreSchema {
        CoreStoreSchema(
            modelVersion: "V1",
            entities: [
                Entity<Film>("Film", indexes: [[\.$code]]), Entity<Actor>("Actor", indexes: [[\.$name]]),
                Entity<Genre>("Genre", indexes: [[\.$name]]),
            ])
    }

    static func importAll(_ films: [ImportSource], in transaction: BaseDataTransaction) throws {
        _ = try transaction.importUniqueObjects(Into<Actor>(), sourceArray: films.flatMap(\.cast))
        _ = try transaction.importUniqueObjects(Into<Genre>(), sourceArray: films.flatMap(\.genres))
        _ = try transaction.importUniqueObjects(Into<Film>(), sourceArray: films)
        try transaction.importRelationship(
            From<Film>(), sourceArray: films, to: From<Actor>(), uniqueIDs: { $0.cast }
        ) { film, cast, _ in film.cast = Set(cast) }
        try transaction.importRelationship(
            From<Film>(), sourceArray: films, to: From<Genre>(), uniqueIDs: { $0.genres }
        ) { film, genres, _ in film.genres = Set(genres) }
    }
}

private final class Actor: CoreStoreObject, ImportableUniqueObject {
    @Field.Stored("name") var name: String = ""
    @Field.Relationship("films", inverse: \.$cast) var films: Set<Film>

    static var uniqueIDKeyPath: String { "name" }

    static func uniqueID(from source: String, in transaction: BaseDataTransaction) throws -> String? { source }

    func update(from source: String, in transaction: BaseDataTransaction) throws {}
}

private final class Genre: CoreStoreObject, ImportableUniqueObject {
    @Field.Stored("name") var name: String = ""
    @Field.Relationship("films", inverse: \.$genres) var films: Set<Film>

    static var uniqueIDKeyPath: String { "name" }

    static func uniqueID(from source: String, in transaction: BaseDataTransaction) throws -> String? { source }

    func update(from source: String, in transaction: BaseDataTransaction) throws {}
}
