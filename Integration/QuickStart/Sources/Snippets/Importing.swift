import Coffer
import CofferInMemory
import Foundation

// snippet: films-file
struct FilmFile: Decodable {
    struct Director: Decodable {
        var id: Int
        var name: String
    }

    struct Film: Decodable {
        var id: String
        var title: String
        var year: Int?
        var director: Int?
        var remakeOf: String?
    }

    var directors: [Director]
    var films: [Film]
}
// end

// snippet: films-classes
final class Director: CoreStoreObject, ImportableUniqueObject {
    @Field.Stored("number") var number: Int = 0
    @Field.Stored("name") var name: String = ""
    @Field.Relationship("films", inverse: \.$director) var films: Set<Film>

    static var uniqueIDKeyPath: String { "number" }

    static func uniqueID(from source: FilmFile.Director, in transaction: BaseDataTransaction) throws -> Int? {
        source.id
    }

    func update(from source: FilmFile.Director, in transaction: BaseDataTransaction) throws {
        name = source.name
    }
}

final class Film: CoreStoreObject, ImportableUniqueObject {
    @Field.Stored("code") var code: String = ""
    @Field.Stored("title") var title: String = ""
    @Field.Stored("year") var year: Int?
    @Field.Relationship("director") var director: Director?
    @Field.Relationship("original") var original: Film?
    @Field.Relationship("remakes", inverse: \.$original) var remakes: Set<Film>

    static var uniqueIDKeyPath: String { "code" }

    static func uniqueID(from source: FilmFile.Film, in transaction: BaseDataTransaction) throws -> String? {
        source.id
    }

    static func shouldUpdate(from source: FilmFile.Film, in transaction: BaseDataTransaction) -> Bool {
        !source.title.isEmpty
    }

    func update(from source: FilmFile.Film, in transaction: BaseDataTransaction) throws {
        title = source.title
        year = source.year
    }
}
// end

// snippet: films-schema
let filmSchema = CoreStoreSchema(
    modelVersion: "V1",
    entities: [
        Entity<Director>("Director", indexes: [[\.$number]]), Entity<Film>("Film", indexes: [[\.$code]]),
    ]
)
// end

let json = """
    {
        "directors": [{"id": 1, "name": "Don Siegel"}, {"id": 2, "name": "Philip Kaufman"}],
        "films": [
            {"id": "tt0077745", "title": "Invasion of the Body Snatchers", "year": 1978, "director": 2,
             "remakeOf": "tt0049366"},
            {"id": "tt0049366", "title": "Invasion of the Body Snatchers", "year": 1956, "director": 1},
            {"id": "tt0000000", "title": ""}
        ]
    }
    """

@MainActor
func importing(_ kennel: DataStack) async throws {
    let stack = DataStack(filmSchema)
    try stack.addStorageAndWait(InMemoryStore())

    // snippet: films-import
    let file = try JSONDecoder().decode(FilmFile.self, from: Data(json.utf8))
    try await stack.async.perform { transaction in
        _ = try transaction.importUniqueObjects(Into<Director>(), sourceArray: file.directors)
        _ = try transaction.importUniqueObjects(Into<Film>(), sourceArray: file.films)

        try transaction.importRelationship(
            From<Film>(), sourceArray: file.films, to: From<Director>(), uniqueID: { $0.director }
        ) { film, director, _ in film.director = director }
        try transaction.importRelationship(
            From<Film>(), sourceArray: file.films, to: From<Film>(), uniqueID: { $0.remakeOf }
        ) { film, original, _ in film.original = original }
    }
    for film in try stack.fetchAll(From<Film>().orderBy(.ascending(\.$year))) {
        let remakes = film.remakes.compactMap(\.year)
        print("\(film.title), \(film.director?.name ?? "?"), remade in \(remakes)")
    }
    // end
}

@MainActor
func failingImport(_ kennel: DataStack) async throws {
    let stack = DataStack(filmSchema)
    try stack.addStorageAndWait(InMemoryStore())

    // snippet: films-error
    struct MissingYear: Error {
        var title: String
    }

    let sources = [
        FilmFile.Film(id: "tt0049366", title: "Invasion of the Body Snatchers", year: 1956),
        FilmFile.Film(id: "tt0077745", title: "Invasion of the Body Snatchers"),
    ]
    do {
        try await stack.async.perform { transaction in
            _ = try transaction.importUniqueObjects(Into<Film>(), sourceArray: sources) { mapping in
                for source in mapping.values where source.year == nil { throw MissingYear(title: source.title) }
                return mapping
            }
        }
    } catch CoreStoreError.userError(let error as MissingYear) {
        print("'\(error.title)' has no year. The store has \(try stack.fetchCount(From<Film>())) films.")
    }
    // end
}
