import Coffer
import CofferStorage
import TestSupport
import Testing

private typealias Song = Playlists.Song
private typealias List = Playlists.List
private typealias Album = Playlists.Album

/// What an unsafe transaction answers about relationships after others have saved.
@MainActor
struct UnsafeRefreshTests {
    private func make(_ backend: TestBackend, _ titles: String = "123") throws -> TestStack {
        let test = try TestStack(backend, Playlists.schema)
        try Playlists.fill(test.stack, titles)
        return test
    }

    @Test(arguments: TestBackend.allCases)
    func `TX-26 objectHasPersistentChangedValues counts the members of relationships and their order`(
        _ backend: TestBackend
    ) throws {
        let test = try make(backend)
        let transaction = test.stack.beginUnsafe(supportsUndo: true)
        let album = try #require(try Playlists.album(transaction))
        let list = try #require(try Playlists.list(transaction))
        let song = try #require(try Playlists.song(transaction, "1"))
        let other = try #require(try Playlists.song(transaction, "2"))
        func changed() -> String {
            let named: [(String, CoreStoreObject)] = [("A", album), ("L", list), ("1", song), ("2", other)]
            return named.filter { transaction.objectHasPersistentChangedValues($1) }.map(\.0).joined()
        }
        #expect(changed() == "")
        album.name += ""
        #expect(changed() == "")
        song.album = nil
        #expect(changed() == "A1")
        transaction.rollback()
        #expect(changed() == "")
        list.favorites.remove(song)
        #expect(changed() == "L1")
        list.favorites.insert(song)
        #expect(changed() == "")
        list.songs.swapAt(0, 1)
        #expect(changed() == "L")
        list.songs.swapAt(0, 1)
        #expect(changed() == "")
        album.songs.swapAt(1, 2)
        #expect(changed().contains("A"))
        album.songs.swapAt(1, 2)
        #expect(!changed().contains("A"))
        transaction.rollback()
        list.songs.append(Playlists.create("x", transaction))
        #expect(changed() == "L")
        transaction.rollback()
        transaction.delete(song)
        #expect(changed().hasPrefix("AL"))
        transaction.rollback()
        song.lists = []
        #expect(changed() == "L1")
        try transaction.commitAndWait()
        #expect(changed() == "")
    }
}
