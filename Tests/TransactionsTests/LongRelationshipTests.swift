import Coffer
import TestSupport
import Testing

private typealias Song = Playlists.Song
private typealias Album = Playlists.Album
private typealias List = Playlists.List

/// Relationships with many members, which are removed one by one.
@MainActor
struct LongRelationshipTests {
    /// The transaction that makes the changes.
    enum Mode: String, CaseIterable {
        case synchronous, undoing, child
    }

    /// The members by title, as plain arrays.
    private struct Expected: Equatable {
        var songs: [String]
        var favorites: Set<String>
        var albums: [String: [String]]

        mutating func delete(_ title: String) {
            songs.removeAll { $0 == title }
            favorites.remove(title)
            for name in albums.keys { albums[name]?.removeAll { $0 == title } }
        }
    }

    private static let titles = (100..<190).map { "\($0)" }

    private func make(_ backend: TestBackend) throws -> TestStack {
        let test = try TestStack(backend, Playlists.schema)
        try test.stack.perform(synchronous: { transaction in
            let list = transaction.create(Into<List>())
            list.name = "L"
            let albums = ["A", "B"].map { name in
                let album = transaction.create(Into<Album>())
                album.name = name
                return album
            }
            let songs = Self.titles.map { Playlists.create($0, transaction) }
            list.songs = songs
            list.favorites = Set(songs)
            albums[0].songs = songs
        })
        return test
    }

    private static var start: Expected {
        Expected(songs: titles, favorites: Set(titles), albums: ["A": titles, "B": []])
    }

    private func found(_ source: any FetchableSource) throws -> Expected {
        let list = try Playlists.list(source)
        let albums = try ["A", "B"].map { ($0, try Playlists.album(source, $0)?.songs.map(\.title) ?? []) }
        return Expected(
            songs: list?.songs.map(\.title) ?? [], favorites: Set((list?.favorites ?? []).map(\.title)),
            albums: Dictionary(uniqueKeysWithValues: albums))
    }

    /// Makes one random change in the transaction and in the expected members.
    private func change(
        _ transaction: BaseDataTransaction, _ expected: inout Expected, _ random: inout SeededGenerator
    ) throws {
        guard let list = try Playlists.list(transaction),
            let song = try Playlists.song(transaction, Self.titles[random.below(Self.titles.count)])
        else { return }
        let title = song.title
        switch random.below(16) {
        case 0..<4:
            let name = ["A", "B"][random.below(2)]
            let isRemoved = random.chance(60)
            if isRemoved, expected.albums[name]?.contains(title) != true { return }
            guard isRemoved || expected.albums[name]?.contains(title) != true else { return }
            song.album = isRemoved ? nil : try Playlists.album(transaction, name)
            for name in ["A", "B"] { expected.albums[name]?.removeAll { $0 == title } }
            if !isRemoved { expected.albums[name]?.append(title) }
        case 4..<9:
            let isMember = expected.songs.contains(title)
            song.lists = isMember ? [] : [list]
            if isMember { expected.songs.removeAll { $0 == title } } else { expected.songs.append(title) }
        case 9..<12:
            let isMember = expected.favorites.contains(title)
            song.fans = isMember ? [] : [list]
            if isMember { expected.favorites.remove(title) } else { expected.favorites.insert(title) }
        case 12:
            let order = list.songs.shuffled(using: &random).filter { _ in random.chance(90) }
            list.songs = order
            expected.songs = order.map(\.title)
        case 13:
            guard let album = try Playlists.album(transaction) else { return }
            let order = Array(album.songs.reversed()).filter { _ in random.chance(90) }
            album.songs = order
            expected.albums["A"] = order.map(\.title)
        case 14:
            let kept = list.favorites.filter { !$0.title.hasSuffix("7") }
            list.favorites = kept
            expected.favorites = Set(kept.map(\.title))
        default:
            transaction.delete(song)
            expected.delete(title)
        }
    }

    /// Makes many random changes, and compares the members with the expected ones from time to time.
    private func changes(
        _ transaction: BaseDataTransaction, _ expected: inout Expected, _ random: inout SeededGenerator, count: Int
    ) throws {
        for _ in 0..<count {
            try change(transaction, &expected, &random)
            if random.below(12) == 0 { #expect(try found(transaction) == expected) }
        }
        #expect(try found(transaction) == expected)
    }

    @Test(arguments: TestBackend.allCases, Mode.allCases)
    func `long relationships have the same members as arrays after the same changes`(
        _ backend: TestBackend, _ mode: Mode
    ) throws {
        for seed in 1...6 {
            let test = try make(backend)
            var random = SeededGenerator(seed: UInt64(seed))
            var expected = Self.start
            switch mode {
            case .synchronous:
                for _ in 0..<2 {
                    try test.stack.perform(synchronous: { transaction in
                        _ = try found(transaction)
                        try changes(transaction, &expected, &random, count: 120)
                    })
                }
            case .undoing:
                let transaction = test.stack.beginUnsafe(supportsUndo: true)
                _ = try found(transaction)
                try transaction.flush { try changes(transaction, &expected, &random, count: 80) }
                let before = expected
                try transaction.flush { try changes(transaction, &expected, &random, count: 80) }
                transaction.undo()
                #expect(try found(transaction) == before)
                transaction.redo()
                #expect(try found(transaction) == expected)
                transaction.undo()
                expected = before
                try changes(transaction, &expected, &random, count: 80)
                try transaction.commitAndWait()
            case .child:
                let parent = test.stack.beginUnsafe()
                _ = try found(parent)
                try changes(parent, &expected, &random, count: 60)
                let child = parent.beginUnsafe()
                try changes(child, &expected, &random, count: 100)
                try child.commitAndWait()
                #expect(try found(parent) == expected)
                try changes(parent, &expected, &random, count: 60)
                try parent.commitAndWait()
            }
            #expect(try found(test.stack) == expected, "seed \(seed)")
            #expect(try test.stack.perform(synchronous: { try found($0) }) == expected, "seed \(seed)")
        }
    }

    @Test(arguments: TestBackend.allCases, Mode.allCases)
    func `a long relationship can be cleared and filled again`(
        _ backend: TestBackend, _ mode: Mode
    ) throws {
        let test = try make(backend)
        func clear(_ transaction: BaseDataTransaction) throws {
            let list = try #require(try Playlists.list(transaction))
            let album = try #require(try Playlists.album(transaction))
            let (songs, favorites, tracks) = (list.songs, list.favorites, album.songs)
            list.songs = []
            list.favorites = []
            for song in tracks { song.album = nil }
            #expect(list.songs.isEmpty && list.favorites.isEmpty && album.songs.isEmpty)
            list.songs = songs.reversed()
            list.favorites = favorites
            for song in tracks.reversed() { song.album = album }
        }
        switch mode {
        case .synchronous: try test.stack.perform(synchronous: clear)
        case .undoing:
            let transaction = test.stack.beginUnsafe(supportsUndo: true)
            try transaction.flush { try clear(transaction) }
            transaction.undo()
            #expect(try found(transaction) == Self.start)
            transaction.redo()
            try transaction.commitAndWait()
        case .child:
            let parent = test.stack.beginUnsafe()
            let child = parent.beginUnsafe()
            try clear(child)
            try child.commitAndWait()
            try parent.commitAndWait()
        }
        let expected = Expected(
            songs: Self.titles.reversed(), favorites: Set(Self.titles), albums: ["A": Self.titles.reversed(), "B": []])
        #expect(try found(test.stack) == expected)
    }
}
