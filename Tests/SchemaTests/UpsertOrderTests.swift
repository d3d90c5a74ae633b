import Coffer
import TestSupport
import Testing

/// Ordered relationships of objects whose rows are merged into stored ones.
@MainActor
struct UpsertOrderTests {
    private final class Album: CoreStoreObject {
        @Field.Stored("code") var code: String?
        @Field.Relationship("songs", inverse: \.$album) var songs: [Song]
        @Field.Relationship("fans", inverse: \.$albums) var fans: [Fan]
    }

    private final class Song: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
        @Field.Relationship("album") var album: Album?
    }

    private final class Fan: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
        @Field.Relationship("albums") var albums: [Album]
    }

    private static func schema(_ policy: UniqueConstraintPolicy) -> CoreStoreSchema {
        CoreStoreSchema(
            modelVersion: "V1",
            entities: [
                Entity<Album>("Album", uniqueConstraints: [[\.$code]: policy]), Entity<Song>("Song"),
                Entity<Fan>("Fan"),
            ])
    }

    private func fan(_ name: String, in transaction: BaseDataTransaction) throws -> Fan {
        if let fan = try transaction.fetchOne(From<Fan>().where(\.$name == name)) { return fan }
        let fan = transaction.create(Into<Fan>())
        fan.name = name
        return fan
    }

    private func addAlbum(_ songs: [String], _ fans: [String], in transaction: BaseDataTransaction) throws -> Album {
        let album = transaction.create(Into<Album>())
        album.code = "A"
        album.songs = songs.map { name in
            let song = transaction.create(Into<Song>())
            song.name = name
            return song
        }
        album.fans = try fans.map { try fan($0, in: transaction) }
        return album
    }

    @Test(arguments: TestBackend.allCases, [UniqueConstraintPolicy.merge, .keepStored])
    func `an upserted object appends its members to the members of the stored object`(
        _ backend: TestBackend, _ policy: UniqueConstraintPolicy
    ) throws {
        let test = try TestStack(backend, Self.schema(policy))
        try test.stack.perform(synchronous: {
            _ = try addAlbum(["a", "b", "c"], ["Ann", "Bob", "Cat"], in: $0)
        })
        let (songs, fans) = try test.stack.perform(synchronous: { transaction in
            let album = try addAlbum(["x", "y", "z"], ["Dan", "Bob", "Eve"], in: transaction)
            return (album.songs, album.fans)
        })
        #expect(songs.count == 3 && fans.count == 3)
        func check(_ source: some FetchableSource) throws {
            let albums = try source.fetchAll(From<Album>())
            #expect(albums.map { $0.songs.map(\.name) } == [["a", "b", "c", "x", "y", "z"]])
            #expect(albums.map { $0.fans.map(\.name) } == [["Ann", "Bob", "Cat", "Dan", "Eve"]])
        }
        try check(test.stack)
        try test.stack.perform(synchronous: { try check($0) })
        // Objects that are appended later still come last.
        try test.stack.perform(synchronous: { transaction in
            let album = try #require(try transaction.fetchOne(From<Album>()))
            album.fans.append(try fan("Zoe", in: transaction))
        })
        let names = try test.stack.fetchOne(From<Album>())?.fans.map(\.name)
        #expect(names == ["Ann", "Bob", "Cat", "Dan", "Eve", "Zoe"])
    }
}
