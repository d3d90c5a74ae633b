import Coffer
import CofferStorage
import TestSupport
import Testing

private typealias Song = Playlists.Song
private typealias Album = Playlists.Album
private typealias List = Playlists.List

/// Ordered relationships, which write only the changed links.
@MainActor
struct OrderedLinkTests {
    private func makeStack(_ backend: TestBackend, _ titles: String) throws -> TestStack {
        let test = try TestStack(backend, Playlists.schema)
        try Playlists.fill(test.stack, titles)
        return test
    }

    private func makeProbedStack(_ backend: TestBackend, _ titles: String) throws -> ProbedStack {
        let test = try ProbedStack(backend, Playlists.schema)
        try Playlists.fill(test.stack, titles)
        _ = test.store.takeRequests()
        return test
    }

    private static let alphabet = "abcdefghijklmnopqrstuvwxy"

    @Test(
        .pins("FLD-46"), arguments: TestBackend.allCases,
        [
            ("append", "~1", "abcdefghijklmnopqrstuvwxyZ"), ("prepend", "~1", "Zabcdefghijklmnopqrstuvwxy"),
            ("insert", "~1", "abcdefZghijklmnopqrstuvwxy"), ("remove", "~1", "abcdeghijklmnopqrstuvwxy"),
            ("move to front", "~1", "yabcdefghijklmnopqrstuvwx"), ("move to end", "~1", "bcdefghijklmnopqrstuvwxya"),
            ("swap", "~1", "bacdefghijklmnopqrstuvwxy"), ("same", "", "abcdefghijklmnopqrstuvwxy"),
        ])
    func `a change of an ordered many-to-many relationship writes only the links that changed`(
        _ backend: TestBackend, _ change: (name: String, links: String, expected: String)
    ) throws {
        let test = try makeProbedStack(backend, Self.alphabet)
        try test.stack.perform(synchronous: { transaction in
            let list = try #require(try Playlists.list(transaction))
            switch change.name {
            case "append": list.songs.append(Playlists.create("Z", transaction))
            case "prepend": list.songs.insert(Playlists.create("Z", transaction), at: 0)
            case "insert": list.songs.insert(Playlists.create("Z", transaction), at: 6)
            case "remove": list.songs.remove(at: 5)
            case "move to front": list.songs.insert(list.songs.removeLast(), at: 0)
            case "move to end": list.songs.append(list.songs.removeFirst())
            case "swap": list.songs.swapAt(0, 1)
            default: list.songs = list.songs
            }
            #expect(Playlists.titles(list.songs) == change.expected)
        })
        let commits = test.store.takeRequests().filter { $0.hasPrefix("commit") }
        let inserts = change.expected.contains("Z") ? 1 : 0
        #expect(commits == (change.links.isEmpty ? [] : ["commit +\(inserts) *0 -0 \(change.links)"]))
        #expect(try Playlists.stored(test.stack) == change.expected)
        #expect(Playlists.titles(try #require(try Playlists.list(test.stack)).songs) == change.expected)
    }

    @Test(.pins("FLD-46"), arguments: TestBackend.allCases)
    func `a changed order is saved together with a new object`(_ backend: TestBackend) throws {
        let test = try makeStack(backend, "abc")
        try test.stack.perform(synchronous: { transaction in
            _ = Playlists.create("Z", transaction)
            let list = try #require(try Playlists.list(transaction))
            list.songs.append(list.songs.removeFirst())
        })
        #expect(try Playlists.stored(test.stack) == "bca")
        #expect(try test.stack.fetchCount(From<Song>().where(\.$title == "Z")) == 1)
    }

    @Test(.pins("FLD-46"), arguments: TestBackend.allCases)
    func `a change of an ordered one-to-many relationship writes only the rows that changed`(
        _ backend: TestBackend
    ) throws {
        let test = try makeProbedStack(backend, Self.alphabet)
        func commits(_ change: @escaping (Album, BaseDataTransaction) -> Void) throws -> [String] {
            try test.stack.perform(synchronous: { change(try #require(try Playlists.album($0)), $0) })
            return test.store.takeRequests().filter { $0.hasPrefix("commit") }
        }
        #expect(try commits { $0.songs.insert(Playlists.create("Z", $1), at: 6) } == ["commit +1 *0 -0"])
        #expect(try commits { album, _ in album.songs.swapAt(0, 1) } == ["commit +0 *1 -0"])
        #expect(try commits { album, _ in album.songs.append(album.songs.removeFirst()) } == ["commit +0 *1 -0"])
        #expect(try commits { album, _ in album.songs = album.songs } == [])
        #expect(try Playlists.storedAlbum(test.stack) == "acdefZghijklmnopqrstuvwxyb")
    }

    @Test(.pins("FLD-42", "FLD-46"), arguments: TestBackend.allCases)
    func `relating an object to its current related objects is no change`(_ backend: TestBackend) throws {
        let test = try makeProbedStack(backend, "ab")
        let transaction = test.stack.beginUnsafe(supportsUndo: true)
        let list = try #require(try Playlists.list(transaction))
        let album = try #require(try Playlists.album(transaction))
        let song = try #require(try Playlists.song(transaction, "a"))
        list.songs = list.songs
        list.favorites = list.favorites
        song.album = song.album
        song.lists = song.lists
        song.fans = song.fans
        album.songs = album.songs
        #expect(!transaction.hasChanges)
        #expect(transaction.updatedObjectIDs().isEmpty)
        try transaction.commitAndWait()
        #expect(test.store.takeRequests().filter { $0.hasPrefix("commit") } == [])
        list.songs.append(Playlists.create("c", transaction))
        #expect(transaction.hasChanges)
        #expect(transaction.updatedObjectIDs() == [list.objectID()])
    }

    @Test(.pins("TX-46"), arguments: TestBackend.allCases)
    func `a removed link stays removed when another transaction appends`(_ backend: TestBackend) throws {
        let test = try makeStack(backend, "12")
        let live = try #require(try Playlists.list(test.stack))
        #expect(Playlists.titles(live.songs) == "12")
        let (one, two) = (test.stack.beginUnsafe(), test.stack.beginUnsafe())
        let mine = try #require(try Playlists.list(one))
        mine.songs.append(Playlists.create("x", one))
        let theirs = try #require(try Playlists.list(two))
        theirs.songs.removeFirst()
        try two.commitAndWait()
        try one.commitAndWait()
        #expect(try Playlists.stored(test.stack) == "2x")
        #expect(Playlists.titles(live.songs) == "2x")
        #expect(Playlists.titles(mine.songs) == "2x")
        two.refreshAndMergeAllObjects()
        #expect(Playlists.titles(theirs.songs) == "2x")
        #expect(try #require(try Playlists.song(one, "1")).lists.isEmpty)
    }

    @Test(.pins("TX-46"), arguments: TestBackend.allCases)
    func `a removed link stays removed when another transaction moves it`(_ backend: TestBackend) throws {
        let test = try makeStack(backend, "123")
        let (one, two) = (test.stack.beginUnsafe(), test.stack.beginUnsafe())
        let mine = try #require(try Playlists.list(one))
        mine.songs.insert(mine.songs.remove(at: 2), at: 0)
        let theirs = try #require(try Playlists.list(two))
        theirs.songs.removeLast()
        try two.commitAndWait()
        try one.commitAndWait()
        #expect(try Playlists.stored(test.stack) == "12")
        #expect(Playlists.titles(mine.songs) == "12")
    }

    @Test(.pins("TX-46"), arguments: TestBackend.allCases)
    func `concurrent appends and insertions at one position are all saved in commit order`(
        _ backend: TestBackend
    ) throws {
        let test = try makeStack(backend, "12")
        let transactions = (0..<3).map { _ in test.stack.beginUnsafe() }
        for (index, transaction) in transactions.enumerated() {
            let list = try #require(try Playlists.list(transaction))
            list.songs.append(Playlists.create("xyz".map(String.init)[index], transaction))
            list.songs.insert(Playlists.create("abc".map(String.init)[index], transaction), at: 1)
        }
        for transaction in transactions { try transaction.commitAndWait() }
        #expect(try Playlists.stored(test.stack) == "1cba2xyz")
        #expect(Playlists.titles(try #require(try Playlists.list(test.stack)).songs) == "1cba2xyz")
    }

    @Test(.pins("TX-46"), arguments: TestBackend.allCases)
    func `throwOnConflict detects a concurrent change of the same relationship of the same object`(
        _ backend: TestBackend
    ) throws {
        let test = try makeStack(backend, "12")
        try test.stack.perform(synchronous: { $0.create(Into<List>()).name = "M" })
        func begin() -> UnsafeDataTransaction { test.stack.beginUnsafe(conflictPolicy: .throwOnConflict) }
        let (one, two, three, four) = (begin(), begin(), begin(), begin())
        try #require(try Playlists.list(one)).songs.append(Playlists.create("x", one))
        try #require(try Playlists.list(two)).songs.removeFirst()
        try #require(try Playlists.list(three, "M")).songs.append(Playlists.create("z", three))
        try #require(try Playlists.list(four)).favorites.removeAll()
        try two.commitAndWait()
        let error = #expect(throws: CoreStoreError.self) { try one.commitAndWait() }
        #expect(error?.storageError?.code == .conflict)
        #expect(
            error?.storageError?.message
                == "'List.songs' was changed by another transaction. Fetch again and repeat the transaction.")
        #expect(try Playlists.stored(test.stack) == "2")
        try three.commitAndWait()
        try four.commitAndWait()
        #expect(try Playlists.stored(test.stack, "M") == "z")
        one.refreshAndMergeAllObjects()
        try one.commitAndWait()
        #expect(try Playlists.stored(test.stack) == "2x")
    }

    /// Gives the songs of a list the specified places, as another version or process may have written them.
    private func setPlaces(_ places: [Int64], of name: String, in test: ProbedStack) throws {
        let list = try #require(try Playlists.list(test.stack, name))
        let layout = test.stack.binding.layout
        let relationship = try #require(
            layout.relationships.first { $0.name == "songs" && $0.owner == list.row.entity })
        guard case .links(let table, let isFirst) = relationship.storage else { return }
        var changes = ChangeSet()
        for (song, place) in zip(list.songs, places) {
            let (owner, member) = (list.objectID().key, song.objectID().key)
            changes.links.append(
                isFirst
                    ? .init(table: table, first: owner, second: member, firstPosition: place)
                    : .init(table: table, first: member, second: owner, secondPosition: place))
        }
        _ = try test.store.commit(changes)
        test.stack.refreshAndMergeAllObjects()
        _ = test.store.takeRequests()
    }

    /// Returns the number of links that an insertion writes.
    private func insert(_ title: String, at index: Int, _ test: ProbedStack) throws -> Int {
        try test.stack.perform(synchronous: { transaction in
            try #require(try Playlists.list(transaction)).songs.insert(Playlists.create(title, transaction), at: index)
        })
        let commit = try #require(test.store.takeRequests().last { $0.hasPrefix("commit") })
        return Int(commit.split(separator: "~").last ?? "") ?? -1
    }

    @Test(.pins("FLD-46"), arguments: TestBackend.allCases)
    func `places of earlier versions stay valid, and an insertion changes only a few of them`(
        _ backend: TestBackend
    ) throws {
        let test = try makeProbedStack(backend, Self.alphabet)
        try setPlaces(Self.alphabet.indices.enumerated().map { Int64($0.offset) }, of: "L", in: test)
        #expect(try Playlists.stored(test.stack) == Self.alphabet)
        #expect(try insert("A", at: 25, test) == 1)
        #expect(try insert("B", at: 0, test) == 1)
        #expect(try insert("C", at: 20, test) <= 9)
        #expect(try insert("D", at: 20, test) == 1)
        #expect(try insert("E", at: 21, test) == 1)
        #expect(try Playlists.stored(test.stack) == "BabcdefghijklmnopqrsDECtuvwxyA")
    }

    @Test(.pins("FLD-46"), arguments: TestBackend.allCases)
    func `an object can be inserted between two members with the same place`(
        _ backend: TestBackend
    ) throws {
        let test = try makeProbedStack(backend, "abcd")
        try setPlaces([1, 7, 7, 7], of: "L", in: test)
        #expect(try Playlists.stored(test.stack) == "abcd")
        #expect(try insert("X", at: 2, test) <= 3)
        #expect(try Playlists.stored(test.stack) == "abXcd")
        #expect(Playlists.titles(try #require(try Playlists.list(test.stack)).songs) == "abXcd")
    }

    @Test(.pins("FLD-46"), arguments: TestBackend.allCases)
    func `insertions at one position move few other members`(_ backend: TestBackend) throws {
        let test = try makeProbedStack(backend, "ab")
        var written = 0
        for title in Self.alphabet.dropFirst(2) + Self.alphabet.uppercased() {
            written += try insert(String(title), at: 1, test)
        }
        #expect(
            try Playlists.stored(test.stack)
                == "a" + String((Self.alphabet.dropFirst(2) + Self.alphabet.uppercased()).reversed()) + "b")
        #expect(written <= 48 * 3)
    }

    @Test(.pins("TX-46", "FLD-46"), arguments: TestBackend.allCases)
    func `removing a member through the inverse also removes it from the pending order`(
        _ backend: TestBackend
    ) throws {
        let test = try makeStack(backend, "abc")
        let transaction = test.stack.beginUnsafe()
        let list = try #require(try Playlists.list(transaction))
        #expect(Playlists.titles(list.songs) == "abc")
        try test.stack.perform(synchronous: { other in
            try Playlists.list(other)?.songs.append(Playlists.create("Z", other))
        })
        list.songs.removeAll { $0.title == "b" }
        let added = try #require(try Playlists.song(transaction, "Z"))
        #expect(added.lists == [list])
        added.lists = []
        #expect(Playlists.titles(list.songs) == "ac")
        try transaction.commitAndWait()
        #expect(try Playlists.stored(test.stack) == "ac")
    }

    @Test(.pins("TX-44", "FLD-46"), arguments: TestBackend.allCases)
    func `both sides of a relationship agree after a child adds a link that its parent removed`(
        _ backend: TestBackend
    ) throws {
        let test = try makeStack(backend, "ab")
        let parent = test.stack.beginUnsafe()
        let child = parent.beginUnsafe()
        let (own, inChild) = (try #require(try Playlists.list(parent)), try #require(try Playlists.list(child)))
        inChild.songs.removeLast()
        own.songs.removeLast()
        let song = try #require(try Playlists.song(child, "b"))
        song.lists.append(inChild)
        try child.commitAndWait()
        #expect(try Playlists.song(parent, "b")?.lists == [own])
        #expect(Playlists.titles(own.songs) == "ab")
        try parent.commitAndWait()
        #expect(try Playlists.stored(test.stack) == "ab")
    }
}
