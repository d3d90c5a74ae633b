import Coffer
import CofferStorage
import Foundation
import TestSupport
import Testing

/// Conflicting transactions that change relationships.
///
/// The store must contain the differences that all transactions made, and live objects must show the stored values.
@MainActor
struct MergingTests {
    static let runs = 60

    @Test(.pins("TX-46", "FLD-46"), arguments: TestBackend.allCases)
    func `random concurrent changes of relationships by several transactions are all merged`(
        _ backend: TestBackend
    ) throws {
        let seed = ProcessInfo.processInfo.environment["COFFER_SEED"].flatMap(UInt64.init) ?? .random(in: 0...9999)
        let runs = ProcessInfo.processInfo.environment["COFFER_RUNS"].flatMap(Int.init) ?? Self.runs
        print("MergingTests on \(backend): COFFER_SEED=\(seed)")
        var meeting = try Meeting(backend, seed: seed)
        var conflicts = 0
        for run in 0..<runs {
            var done: [String] = []
            do {
                try meeting.begin()
                for _ in 0..<14 { try meeting.step(&done) }
                conflicts += try meeting.end(&done)
            } catch let mismatch as Mismatch {
                Issue.record("seed \(seed), run \(run), \(mismatch.what): \(done.joined(separator: "; "))")
                return
            }
        }
        #expect(conflicts > runs / 20, "seed \(seed)")
    }
}

/// A difference from the expected values.
private struct Mismatch: Error {
    let what: String
}

/// The objects of one context.
private struct Cast {
    let lists: [Playlists.List]
    let songs: [Playlists.Song]
    let albums: [Playlists.Album]

    init(_ source: any FetchableSource) throws {
        lists = try source.fetchAll(From<Playlists.List>().orderBy(.ascending(\.$name)))
        songs = try source.fetchAll(From<Playlists.Song>().orderBy(.ascending(\.$title)))
        albums = try source.fetchAll(From<Playlists.Album>().orderBy(.ascending(\.$name)))
    }

    /// The values that the objects show; nil if the sides of a relationship do not agree.
    var model: MergingModel? { model(checksAlbums: true) }

    func model(checksAlbums: Bool) -> MergingModel? {
        var model = MergingModel()
        for side in MergingModel.Side.allCases { model.members[side] = members(side) }
        for (index, album) in albums.enumerated() { model.albums[index] = album.songs.compactMap(songs.firstIndex) }
        for (index, song) in songs.enumerated() where checksAlbums {
            guard song.album.flatMap(albums.firstIndex) == model.album(of: index) else { return nil }
        }
        for side in MergingModel.Side.allCases {
            for member in model.members[side] ?? [] {
                guard model.members[side.inverse(of: member)]?.contains(side.owner) == true else { return nil }
            }
        }
        return model
    }

    func members(_ side: MergingModel.Side) -> [Int] {
        switch side {
        case .songs(let owner): lists[owner].songs.compactMap(songs.firstIndex)
        case .lists(let owner): songs[owner].lists.compactMap(lists.firstIndex)
        case .favorites(let owner): lists[owner].favorites.compactMap(songs.firstIndex).sorted()
        case .fans(let owner): songs[owner].fans.compactMap(lists.firstIndex).sorted()
        }
    }

    func set(_ side: MergingModel.Side, _ members: [Int]) {
        switch side {
        case .songs(let owner): lists[owner].songs = members.map { songs[$0] }
        case .lists(let owner): songs[owner].lists = members.map { lists[$0] }
        case .favorites(let owner): lists[owner].favorites = Set(members.map { songs[$0] })
        case .fans(let owner): songs[owner].fans = Set(members.map { lists[$0] })
        }
    }
}

/// Publishers of all lists, and the lists that they have reported as changed.
@MainActor
private final class PublishedLists {
    private var publishers: [ObjectPublisher<Playlists.List>] = []
    private var told: Set<Int> = []

    init(_ cast: Cast, _ stack: DataStack) {
        for (index, list) in cast.lists.enumerated() {
            let publisher = stack.publishObject(list)
            publisher.addObserver(self) { [weak self] _ in MainActor.assumeIsolated { _ = self?.told.insert(index) } }
            publishers.append(publisher)
        }
    }

    /// Checks that the publishers show the values of the live objects and have reported exactly the changed lists.
    ///
    /// - Parameter isAlone: whether no other transaction can have made the same change before.
    func check(_ cast: Cast, since before: MergingModel, _ now: MergingModel, isAlone: Bool) throws {
        for (index, publisher) in publishers.enumerated() {
            guard let snapshot = publisher.snapshot else { throw Mismatch(what: "list \(index) has no snapshot") }
            guard snapshot.$songs.map({ $0.objectID() }) == cast.lists[index].songs.map({ $0.objectID() }) else {
                throw Mismatch(what: "the snapshot of list \(index)")
            }
            let isChanged = [MergingModel.Side.songs(index), .favorites(index)].contains {
                before.members[$0] != now.members[$0]
            }
            guard isChanged == told.contains(index) || (!isChanged && !isAlone) else {
                throw Mismatch(what: "list \(index) changed: \(isChanged), but reported: \(!isChanged)")
            }
        }
        told = []
    }
}

/// Several transactions, of up to two stacks on one store, with the values that they should show and save.
@MainActor
private struct Meeting {
    private struct Member {
        let name: String
        let transaction: UnsafeDataTransaction
        let cast: Cast
        var changes: MergingChanges
        let throwsOnConflict: Bool
        /// Whether the transaction also changes albums; the rows of the songs contain their places in an album.
        let editsAlbums: Bool
        /// The values that the transaction showed after each flush, if it supports undo.
        var past: [MergingChanges]?
    }

    private let test: TestStack
    /// Another stack on the same store, as in another process.
    private let other: DataStack?
    private let live: Cast
    /// The published lists; nil if another stack commits too.
    private let published: PublishedLists?
    private var random: SeededGenerator
    private var stored = MergingModel()
    private var members: [Member] = []

    init(_ backend: TestBackend, seed: UInt64) throws {
        test = try TestStack(backend, Playlists.schema)
        random = SeededGenerator(seed: seed)
        try test.stack.perform(synchronous: { transaction in
            for index in 0..<MergingModel.Side.listCount {
                transaction.create(Into<Playlists.List>()).name = "L\(index)"
            }
            for index in 0..<MergingModel.Side.albumCount {
                transaction.create(Into<Playlists.Album>()).name = "A\(index)"
            }
            for index in 0..<MergingModel.Side.songCount { Playlists.create("s\(index)", transaction) }
        })
        if backend == .memory {
            other = nil
        } else {
            let stack = DataStack(Playlists.schema)
            try TestStack.addStore(backend, to: stack, in: test.directory)
            other = stack
        }
        live = try Cast(test.stack)
        published = other == nil ? PublishedLists(live, test.stack) : nil
    }

    mutating func begin() throws {
        members = []
        for index in 0..<Int.random(in: 2...3, using: &random) {
            let kind = Int.random(in: 0..<4, using: &random)
            let stack = Bool.random(using: &random) ? other ?? test.stack : test.stack
            let transaction =
                kind == 0
                ? stack.beginUnsafe(conflictPolicy: .throwOnConflict) : stack.beginUnsafe(supportsUndo: kind == 1)
            let cast = try Cast(transaction)
            _ = cast.model
            members.append(
                Member(
                    name: "\("PQR".map(String.init)[index])\(kind == 0 ? "!" : kind == 1 ? "?" : "")",
                    transaction: transaction, cast: cast, changes: MergingChanges(stored), throwsOnConflict: kind == 0,
                    editsAlbums: kind == 2, past: kind == 1 ? [] : nil))
        }
    }

    mutating func step(_ done: inout [String]) throws {
        let index = members.indices.randomElement(using: &random) ?? 0
        let name = members[index].name
        switch Int.random(in: 0..<12, using: &random) {
        case 0:
            done.append("\(name) commits")
            _ = try commit(index)
        case 1:
            done.append("\(name) refreshes")
            try refresh(index)
        case 2 where members[index].past != nil:
            done.append("\(name) undoes")
            undo(index)
        case 3 where !members[index].editsAlbums:
            let child = members[index].transaction.beginUnsafe()
            let cast = try Cast(child)
            var seen = members[index].changes
            seen.lookAgain(stored)
            for _ in 0..<Int.random(in: 1...3, using: &random) { done.append("child of \(edit(index, cast))") }
            try child.commitAndWait()
            // The changes of the child are applied to the values that are stored now.
            members[index].changes.lookAgain(stored)
            if members[index].changes.current != seen.current { flush(index) }
        default:
            let before = members[index].changes.current
            done.append(edit(index, members[index].cast))
            // Setting a property to its current value is no change.
            if members[index].changes.current != before { flush(index) }
        }
        // If others have changed a row, the transaction shows the version of the row that it happens to read.
        let editsAlbums = members[index].editsAlbums
        var shown = members[index].cast.model(checksAlbums: editsAlbums)
        if !editsAlbums { shown?.albums = members[index].changes.current.albums }
        try expect(shown, members[index].changes.current, "the content of \(name)")
    }

    /// Saves the remaining changes.
    ///
    /// - Returns: the number of conflicts.
    mutating func end(_ done: inout [String]) throws -> Int {
        var conflicts = 0
        for index in members.indices {
            done.append("\(members[index].name) commits at last")
            if try !commit(index) {
                conflicts += 1
                done.append("once more")
                guard try commit(index) else { throw Mismatch(what: "a conflict after refreshing") }
            }
        }
        return conflicts
    }

    // MARK: Steps of a member

    private mutating func commit(_ index: Int) throws -> Bool {
        let (member, before) = (members[index], stored)
        let isConflict = member.throwsOnConflict && member.changes.conflicts(with: stored)
        do {
            try member.transaction.commitAndWait()
            if isConflict { throw Mismatch(what: "no conflict") }
            stored = member.changes.merged(into: stored, isRefresh: false)
        } catch let error as CoreStoreError {
            guard isConflict, error.storageError?.code == .conflict else { throw error }
        }
        let fresh = try test.stack.read({ try Cast($0).model })
        if let fresh, !member.changes.knowsAlbums(before) {
            // If others have changed an album, the places of the songs determine the order, not the differences.
            guard fresh.albums.map(Set.init) == stored.albums.map(Set.init) else {
                throw Mismatch(what: "the songs of the albums: \(fresh.albums), not \(stored.albums)")
            }
            stored.albums = fresh.albums
        }
        try expect(fresh, stored, "the stored content")
        if other != nil { test.stack.refreshAndMergeAllObjects() }
        try expect(live.model, stored, "the content of the stack")
        try published?.check(live, since: before, stored, isAlone: member.changes.base.members == before.members)
        if isConflict {
            try refresh(index)
        } else {
            member.transaction.refreshAndMergeAllObjects()
            members[index].changes = MergingChanges(stored)
            members[index].past = member.past.map { _ in [] }
            try expect(member.cast.model, stored, "the content of \(member.name) after its commit")
        }
        return !isConflict
    }

    private mutating func refresh(_ index: Int) throws {
        let member = members[index]
        member.transaction.refreshAndMergeAllObjects()
        let shown = member.cast.model(checksAlbums: member.editsAlbums)
        var changes = member.changes
        changes.lookAgain(stored)
        for side in changes.expected.keys { changes.expected[side] = stored.members[side] }
        if member.editsAlbums, !member.changes.knowsAlbums(stored), let shown {
            guard shown.albums.map(Set.init) == changes.current.albums.map(Set.init) else {
                throw Mismatch(what: "the albums after refreshing: \(shown.albums), not \(changes.current.albums)")
            }
            changes.current.albums = shown.albums
        }
        members[index].changes = changes
    }

    private mutating func flush(_ index: Int) {
        guard members[index].past != nil else { return }
        members[index].transaction.flush()
        let moment = members[index].changes
        members[index].past?.append(moment)
    }

    private mutating func undo(_ index: Int) {
        members[index].transaction.undo()
        guard members[index].past?.popLast() != nil else { return }
        members[index].changes = members[index].past?.last ?? MergingChanges(stored)
        members[index].changes.lookAgain(stored)
    }

    /// Changes a relationship, and returns a description of the change.
    private mutating func edit(_ index: Int, _ cast: Cast) -> String {
        let member = members[index]
        if member.editsAlbums, Int.random(in: 0..<4, using: &random) == 0 { return editAlbum(index, cast) }
        let side = MergingModel.Side.allCases.randomElement(using: &random) ?? .songs(0)
        let old = member.changes.current.members[side] ?? []
        let all: Int
        switch side {
        case .songs, .favorites: all = MergingModel.Side.songCount
        case .lists, .fans: all = MergingModel.Side.listCount
        }
        let new = changed(old, from: Array(0..<all))
        cast.set(side, new)
        members[index].changes.current.set(side, new)
        if members[index].changes.current.members[side] != old, member.changes.expected[side] == nil {
            members[index].changes.expected[side] = member.changes.base.members[side]
        }
        return "\(member.name) \(side) = \(new)"
    }

    private mutating func editAlbum(_ index: Int, _ cast: Cast) -> String {
        let before = members[index].changes.current
        let album = Int.random(in: 0..<MergingModel.Side.albumCount, using: &random)
        let done: String
        if Bool.random(using: &random) {
            let song = Int.random(in: 0..<MergingModel.Side.songCount, using: &random)
            let target = Int.random(in: 0..<3, using: &random) == 0 ? nil : album
            cast.songs[song].album = target.map { cast.albums[$0] }
            members[index].changes.current.setAlbum(of: song, target)
            done = "s\(song) in album \(target.map(String.init) ?? "-")"
        } else {
            let new = changed(before.albums[album], from: Array(0..<MergingModel.Side.songCount))
            cast.albums[album].songs = new.map { cast.songs[$0] }
            members[index].changes.current.setAlbum(album, new)
            done = "album \(album) = \(new)"
        }
        for song in 0..<MergingModel.Side.songCount
        where before.album(of: song) != members[index].changes.current.album(of: song) {
            members[index].changes.touched.insert(song)
        }
        return "\(members[index].name) \(done)"
    }

    /// A list with one member appended, inserted, removed or moved, or a different list.
    private mutating func changed(_ old: [Int], from all: [Int]) -> [Int] {
        var new = old
        let missing = all.filter { !old.contains($0) }.randomElement(using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1: if let missing { new.append(missing) }
        case 2: if let missing { new.insert(missing, at: Int.random(in: 0...old.count, using: &random)) }
        case 3: if !old.isEmpty { new.remove(at: Int.random(in: old.indices, using: &random)) }
        case 4:
            guard !old.isEmpty else { break }
            let moved = new.remove(at: Int.random(in: old.indices, using: &random))
            new.insert(moved, at: Int.random(in: 0...new.count, using: &random))
        default: new = Array(all.shuffled(using: &random).prefix(Int.random(in: 0...4, using: &random)))
        }
        return new
    }

    private func expect(
        _ found: MergingModel?, _ expected: MergingModel, _ what: String
    ) throws {
        guard let found else { throw Mismatch(what: "\(what): the sides do not agree") }
        for side in MergingModel.Side.allCases where found.members[side] != expected.members[side] {
            throw Mismatch(
                what: "\(what): \(side) is \(found.members[side] ?? []), not \(expected.members[side] ?? [])")
        }
        guard found.albums == expected.albums else {
            throw Mismatch(what: "\(what): albums \(found.albums), not \(expected.albums)")
        }
    }
}
