import Coffer
import CofferStorage
import TestSupport
import Testing

private typealias Song = Playlists.Song
private typealias List = Playlists.List
private typealias Album = Playlists.Album

/// The relationships that an unsafe transaction shows after other transactions have saved changes.
@MainActor
struct UnsafeRefreshTests {
    private func make(_ backend: TestBackend, _ titles: String = "123") throws -> TestStack {
        let test = try TestStack(backend, Playlists.schema)
        try Playlists.fill(test.stack, titles)
        return test
    }

    @Test(.pins("TX-26"), arguments: TestBackend.allCases)
    func `objectHasPersistentChangedValues compares members of relationships and their order`(
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

    @Test(.pins("TX-28"), arguments: TestBackend.allCases)
    func `after a fetch, both sides of a relationship show changes of other transactions`(_ backend: TestBackend) throws
    {
        let test = try make(backend)
        let transaction = test.stack.beginUnsafe()
        let album = try #require(try Playlists.album(transaction))
        let list = try #require(try Playlists.list(transaction))
        let song = try #require(try Playlists.song(transaction, "1"))
        #expect(Playlists.titles(album.songs) == "123")
        #expect(Playlists.titles(list.songs) == "123" && list.favorites.count == 3 && song.fans == [list])
        // These pending changes remain after the fetch.
        list.songs.append(Playlists.create("x", transaction))
        list.favorites.remove(try #require(try Playlists.song(transaction, "2")))
        try test.stack.perform(synchronous: { other in
            let song = try #require(try Playlists.song(other, "1"))
            song.album = nil
            song.lists = []
            song.fans = []
            Playlists.create("4", other).album = try Playlists.album(other)
        })
        #expect(try transaction.fetchAll(From<Song>()).count == 5)
        #expect(song.album == nil && song.lists == [] && song.fans == [])
        #expect(Playlists.titles(album.songs) == "234")
        #expect(Playlists.titles(list.songs) == "23x" && list.favorites.map(\.title) == ["3"])
        try test.stack.perform(synchronous: { other in
            try Playlists.song(other, "3")?.album = nil
            try Playlists.song(other, "1")?.album = try Playlists.album(other)
        })
        #expect(try transaction.fetchAll(From<Album>()) == [album])
        for each in try transaction.fetchAll(From<Song>()) {
            #expect((each.album === album) == album.songs.contains(each), "\(each.title)")
        }
        #expect(Set(album.songs.map(\.title)) == ["1", "2", "4"])
        try transaction.commitAndWait()
        #expect(try Playlists.stored(test.stack) == "23x")
    }

    @Test(.pins("TX-11"), arguments: TestBackend.allCases)
    func `after a refresh, a commit has no conflict and saves the values that were shown`(_ backend: TestBackend) throws
    {
        typealias Change = @Sendable (BaseDataTransaction) throws -> Void
        let rename: Change = { try Playlists.song($0, "1")?.title = "z" }
        let reverse: Change = { try Playlists.list($0)?.songs.reverse() }
        let removeSong: Change = { try Playlists.list($0)?.songs.removeFirst() }
        let removeFavorite: Change = { try Playlists.list($0)?.favorites.removeAll() }
        let append: Change = { try Playlists.list($0)?.songs.append(Playlists.create("x", $0)) }
        let moveInAlbum: Change = { try Playlists.album($0)?.songs.reverse() }
        let leaveAlbum: Change = { try Playlists.song($0, "1")?.album = nil }
        let touch: Change = { try Playlists.song($0, "1").map { $0.title += "!" } }
        let changes: [(String, Change)] = [
            ("rename", rename), ("reverse", reverse), ("remove song", removeSong),
            ("remove favorite", removeFavorite), ("append", append), ("move in album", moveInAlbum),
            ("leave album", leaveAlbum), ("touch", touch),
            ("delete", { try $0.delete(Playlists.song($0, "1")) }),
            ("remove last", { _ = try Playlists.list($0)?.songs.removeLast() }),
        ]
        for (ownName, own) in changes {
            for (otherName, other) in changes {
                for isUndone in [false, true] {
                    let test = try make(backend)
                    let transaction = test.stack.beginUnsafe(
                        supportsUndo: true, conflictPolicy: .throwOnConflict)
                    try transaction.flush { try own(transaction) }
                    if isUndone {
                        try transaction.flush { try Playlists.list(transaction)?.name = "M" }
                    }
                    try test.stack.perform(synchronous: { try other($0) })
                    _ = RecordingLogger.record("conflict") { try? transaction.commitAndWait() }
                    transaction.refreshAndMergeAllObjects()
                    if isUndone { transaction.undo() }
                    let shown = try Playlists.content(transaction)
                    do {
                        try transaction.commitAndWait()
                    } catch {
                        Issue.record("\(ownName) after \(otherName), undone: \(isUndone): \(error)")
                    }
                    let stored = try test.stack.read { try Playlists.content($0) }
                    #expect(stored == shown, "\(ownName) after \(otherName), undone: \(isUndone)")
                }
            }
        }
    }
}
