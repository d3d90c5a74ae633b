import Coffer
import CofferStorage
import TestSupport

/// The model for tests of ordered relationships: playlists, albums and fans of songs.
enum Playlists {
    final class Song: CoreStoreObject {
        @Field.Stored("title") var title: String = ""
        @Field.Relationship("album") var album: Album?
        @Field.Relationship("lists", inverse: \.$songs) var lists: [List]
        @Field.Relationship("fans", inverse: \.$favorites) var fans: Set<List>
    }

    final class Album: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
        @Field.Relationship("songs", inverse: \.$album) var songs: [Song]
    }

    final class List: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
        @Field.Relationship("songs") var songs: [Song]
        @Field.Relationship("favorites") var favorites: Set<Song>
    }

    static let schema = CoreStoreSchema(
        modelVersion: "V1", entities: [Entity<Song>("Song"), Entity<Album>("Album"), Entity<List>("List")]
    )

    /// Creates songs with one letter each, and a list "L" and an album "A" that contain all songs in order.
    static func fill(_ stack: DataStack, _ titles: String) throws {
        try stack.perform(synchronous: { transaction in
            let list = transaction.create(Into<List>())
            list.name = "L"
            let album = transaction.create(Into<Album>())
            album.name = "A"
            let songs = titles.map { create(String($0), transaction) }
            list.songs = songs
            list.favorites = Set(songs)
            album.songs = songs
        })
    }

    @discardableResult
    static func create(_ title: String, _ transaction: BaseDataTransaction) -> Song {
        let song = transaction.create(Into<Song>())
        song.title = title
        return song
    }

    static func list(_ source: any FetchableSource, _ name: String = "L") throws -> List? {
        try source.fetchOne(From<List>().where(\.$name == name))
    }

    static func album(_ source: any FetchableSource, _ name: String = "A") throws -> Album? {
        try source.fetchOne(From<Album>().where(\.$name == name))
    }

    static func song(_ source: any FetchableSource, _ title: String) throws -> Song? {
        try source.fetchOne(From<Song>().where(\.$title == title))
    }

    /// The songs of a stored list, as a new reader finds them.
    static func stored(_ stack: DataStack, _ name: String = "L") throws -> String {
        try stack.read({ titles(try list($0, name)?.songs ?? []) })
    }

    /// The songs of a stored album, as a new reader finds them.
    static func storedAlbum(_ stack: DataStack, _ name: String = "A") throws -> String {
        try stack.read({ titles(try album($0, name)?.songs ?? []) })
    }

    /// The complete content of a source, with both sides of each relationship, in a fixed order.
    static func content(_ source: any FetchableSource) throws -> [String] {
        let lists = try source.fetchAll(From<List>()).map {
            "list \($0.name): \(titles($0.songs)), \($0.favorites.map(\.title).sorted())"
        }
        let albums = try source.fetchAll(From<Album>()).map { "album \($0.name): \(titles($0.songs))" }
        let songs = try source.fetchAll(From<Song>()).map {
            "song \($0.title): \($0.album?.name ?? "-"), \($0.lists.map(\.name)), \($0.fans.map(\.name).sorted())"
        }
        return (lists + albums + songs).sorted()
    }

    static func titles(_ songs: some Sequence<Song>) -> String { songs.map(\.title).joined() }
}
