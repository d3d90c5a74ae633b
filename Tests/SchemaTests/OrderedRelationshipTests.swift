import Coffer
import Foundation
import TestSupport
import Testing

/// Ordered relationships, of one object to many and of many to many.
@MainActor
struct OrderedRelationshipTests {
    private final class Song: CoreStoreObject {
        @Field.Stored("title") var title: String = ""
        @Field.Relationship("album") var album: Album?
        @Field.Relationship("lists", inverse: \.$songs) var lists: [Playlist]
    }

    private final class Album: CoreStoreObject {
        @Field.Relationship("songs", inverse: \.$album) var songs: [Song]
    }

    private final class Playlist: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
        @Field.Relationship("songs") var songs: [Song]
    }

    private func songs(_ titles: String, _ transaction: BaseDataTransaction) -> [Song] {
        titles.map { title in
            let song = transaction.create(Into<Song>())
            song.title = String(title)
            return song
        }
    }

    private func titles(_ songs: [Song]) -> String { songs.map(\.title).joined() }

    private func makeStack(_ backend: TestBackend) throws -> TestStack {
        try TestStack(
            backend,
            CoreStoreSchema(
                modelVersion: "V1",
                entities: [Entity<Song>("Song"), Entity<Album>("Album"), Entity<Playlist>("Playlist")]
            )
        )
    }

    @Test(.pins("FLD-46"), arguments: TestBackend.allCases)
    func `the order of a one-to-many relationship survives commits and changes`(_ backend: TestBackend) throws {
        let test = try makeStack(backend)
        try test.stack.perform(synchronous: { transaction in
            let album = transaction.create(Into<Album>())
            let songs = songs("abcde", transaction)
            album.songs = [songs[3], songs[0], songs[2]]
            songs[4].album = album
            #expect(titles(album.songs) == "dace")
            album.songs.insert(songs[1], at: 1)
            #expect(titles(album.songs) == "dbace")
        })
        let album = try #require(try test.stack.fetchOne(From<Album>()))
        #expect(titles(album.songs) == "dbace")
        for change in ["ecabd", "cab", "bac", "abc", "", "ba"] {
            try test.stack.perform(synchronous: { transaction in
                let album = try #require(transaction.edit(album))
                let all = try transaction.fetchAll(From<Song>())
                album.songs = change.compactMap { title in all.first { $0.title == String(title) } }
                #expect(titles(album.songs) == change)
            })
            #expect(titles(album.songs) == change)
            let fresh = try test.stack.perform(synchronous: { transaction in
                titles(try #require(try transaction.fetchOne(From<Album>())).songs)
            })
            #expect(fresh == change)
        }
    }

    @Test(.pins("FLD-46"), arguments: TestBackend.allCases)
    func `an object is in an ordered relationship only once`(_ backend: TestBackend) throws {
        let test = try makeStack(backend)
        try test.stack.perform(synchronous: { transaction in
            let album = transaction.create(Into<Album>())
            let list = transaction.create(Into<Playlist>())
            let songs = songs("ab", transaction)
            album.songs = [songs[0], songs[1], songs[0]]
            #expect(titles(album.songs) == "ab")
            list.songs = [songs[1], songs[1], songs[0], songs[1]]
            #expect(titles(list.songs) == "ba")
        })
        #expect(titles(try #require(try test.stack.fetchOne(From<Album>())).songs) == "ab")
        #expect(titles(try #require(try test.stack.fetchOne(From<Playlist>())).songs) == "ba")
    }

    @Test(.pins("FLD-46"), arguments: TestBackend.allCases)
    func `each side of a many-to-many relationship has its own order`(_ backend: TestBackend) throws {
        let test = try makeStack(backend)
        try test.stack.perform(synchronous: { transaction in
            let songs = songs("abc", transaction)
            let lists = ["x", "y", "z"].map { name in
                let list = transaction.create(Into<Playlist>())
                list.name = name
                return list
            }
            lists[0].songs = [songs[2], songs[0], songs[1]]
            lists[1].songs = [songs[1], songs[2]]
            lists[2].songs = [songs[2]]
            songs[2].lists = [lists[2], lists[0], lists[1]]
            #expect(titles(lists[0].songs) == "cab")
        })
        let c = try #require(try test.stack.fetchOne(From<Song>().where(\.$title == "c")))
        #expect(c.lists.map(\.name) == ["z", "x", "y"])
        #expect(titles(c.lists[1].songs) == "cab")
        #expect(titles(c.lists[2].songs) == "bc")
        try test.stack.perform(synchronous: { transaction in
            let x = try #require(transaction.edit(c.lists[1]))
            x.songs.swapAt(0, 2)
        })
        #expect(titles(c.lists[1].songs) == "bac")
        #expect(c.lists.map(\.name) == ["z", "x", "y"])
        try test.stack.perform(synchronous: { transaction in
            transaction.delete(c.lists[0])
            let x = try #require(transaction.edit(c.lists[1]))
            x.songs.removeFirst()
            let d = songs("d", transaction)[0]
            x.songs.append(d)
        })
        #expect(c.lists.map(\.name) == ["x", "y"])
        #expect(titles(c.lists[0].songs) == "acd")
        let again = try test.stack.perform(synchronous: { transaction in
            titles(try #require(try transaction.fetchOne(From<Playlist>().where(\.$name == "x"))).songs)
        })
        #expect(again == "acd")
    }

    @Test(.pins("FLD-46"), arguments: TestBackend.allCases)
    func `an object that is added from the unordered side is appended at the end`(_ backend: TestBackend) throws {
        let test = try makeStack(backend)
        try test.stack.perform(synchronous: { transaction in
            let album = transaction.create(Into<Album>())
            album.songs = songs("ba", transaction)
        })
        try test.stack.perform(synchronous: { transaction in
            let album = try #require(try transaction.fetchOne(From<Album>()))
            for song in songs("dc", transaction) { song.album = album }
        })
        let album = try #require(try test.stack.fetchOne(From<Album>()))
        #expect(titles(album.songs) == "badc")
        try test.stack.perform(synchronous: { transaction in
            let first = try #require(try transaction.fetchOne(From<Song>().where(\.$title == "b")))
            let album = first.album
            first.album = nil
            first.album = album
        })
        #expect(titles(album.songs) == "adcb")
    }

    @Test(.pins("FLD-46"), arguments: TestBackend.allCases)
    func `a pending order survives a refresh and the undo of another change`(
        _ backend: TestBackend
    ) throws {
        let test = try makeStack(backend)
        let transaction = test.stack.beginUnsafe(supportsUndo: true)
        let album = transaction.create(Into<Album>())
        album.songs = songs("abc", transaction)
        try transaction.commitAndWait()
        transaction.flush { album.songs = [album.songs[2], album.songs[0], album.songs[1]] }
        #expect(titles(album.songs) == "cab")
        transaction.refreshAndMergeAllObjects()
        #expect(titles(album.songs) == "cab")
        transaction.flush { album.songs.insert(songs("d", transaction)[0], at: 1) }
        transaction.flush { album.songs[0].title = "x" }
        #expect(titles(album.songs) == "xdab")
        transaction.undo()
        #expect(titles(album.songs) == "cdab")
        transaction.undo()
        #expect(titles(album.songs) == "cab")
        transaction.redo()
        #expect(titles(album.songs) == "cdab")
        songs("e", transaction)[0].album = album
        transaction.refreshAndMergeAllObjects()
        #expect(titles(album.songs) == "cdabe")
        try transaction.commitAndWait()
        #expect(try test.stack.fetchOne(From<Album>()).map { titles($0.songs) } == "cdabe")
    }
}
