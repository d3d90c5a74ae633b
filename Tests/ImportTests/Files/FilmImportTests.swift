import Coffer
import Foundation
import TestSupport
import Testing

/// The films of the data set wikipedia-movies, with their casts and genres as related unique objects.
private final class Film: CoreStoreObject, ImportableUniqueObject {
    struct ImportSource: Decodable {
        var title: String
        var year: Int
        var cast: [String]
        var genres: [String]
        var extract: String?

        /// An id made of title and year, because the records have no id.
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

@MainActor
struct FilmImportTests {
    nonisolated private static let files = [1900, 1980, 1990, 2000, 2010, 2020].compactMap {
        SharedData.file("wikipedia-movies/movies-\($0)s.json")
    }

    private static let schema = CoreStoreSchema(
        modelVersion: "V1",
        entities: [
            Entity<Film>("Film", indexes: [[\.$code]]), Entity<Actor>("Actor", indexes: [[\.$name]]),
            Entity<Genre>("Genre", indexes: [[\.$name]]),
        ])

    @Test(.enabled(if: files.count == 6, Comment(rawValue: SharedData.advice)), arguments: TestBackend.allCases)
    func `films with casts and genres are imported twice with the same result`(_ backend: TestBackend) async throws {
        var films: [Film.ImportSource] = []
        for file in Self.files {
            var reader = try RecordReader<Film.ImportSource>(RecordFile(file))
            while let record = try reader.next() { films.append(try record.content.get()) }
        }
        #expect(films.count == 11_570)
        let last = Dictionary(films.map { ($0.code, $0) }, uniquingKeysWith: { $1 })
        let test = try TestStack(backend, Self.schema)
        for _ in 1...2 {
            let films = films
            try await test.stack.async.perform { transaction in
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
            let found = try test.stack.fetchAll(From<Film>())
            #expect(found.count == last.count)
            var wrong = 0
            for film in found {
                guard let source = last[film.code], film.extract == source.extract,
                    Set(film.cast.map(\.name)) == Set(source.cast), Set(film.genres.map(\.name)) == Set(source.genres)
                else {
                    wrong += 1
                    continue
                }
            }
            #expect(wrong == 0)
            #expect(try test.stack.fetchCount(From<Actor>()) == Set(films.flatMap(\.cast)).count)
            #expect(try test.stack.fetchCount(From<Genre>()) == Set(films.flatMap(\.genres)).count)
        }
    }
}
