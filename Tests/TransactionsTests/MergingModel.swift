/// The relationships of playlists, songs and albums as plain values, and the differences that transactions make.
struct MergingModel: Equatable {
    /// One relationship of one object.
    enum Side: Hashable, CaseIterable {
        case songs(Int)
        case lists(Int)
        case favorites(Int)
        case fans(Int)

        static let listCount = 3
        static let songCount = 7
        static let albumCount = 2

        static var allCases: [Side] {
            (0..<listCount).flatMap { [.songs($0), .favorites($0)] }
                + (0..<songCount).flatMap { [.lists($0), .fans($0)] }
        }

        var owner: Int {
            switch self {
            case .songs(let owner), .lists(let owner), .favorites(let owner), .fans(let owner): owner
            }
        }

        var isOrdered: Bool {
            switch self {
            case .songs, .lists: true
            case .favorites, .fans: false
            }
        }

        /// The same relationship seen from one of its members.
        func inverse(of member: Int) -> Side {
            switch self {
            case .songs: .lists(member)
            case .lists: .songs(member)
            case .favorites: .fans(member)
            case .fans: .favorites(member)
            }
        }
    }

    /// The members of each side; without an order, they are sorted in ascending order.
    var members: [Side: [Int]] = Dictionary(uniqueKeysWithValues: Side.allCases.map { ($0, []) })
    /// The songs of the albums, in order.
    var albums: [[Int]] = Array(repeating: [], count: Side.albumCount)

    func album(of song: Int) -> Int? { albums.firstIndex { $0.contains(song) } }

    mutating func set(_ side: Side, _ new: [Int]) {
        let old = members[side] ?? []
        for member in old where !new.contains(member) {
            members[side.inverse(of: member)]?.removeAll { $0 == side.owner }
        }
        for member in new where !old.contains(member) {
            let inverse = side.inverse(of: member)
            members[inverse]?.append(side.owner)
            if !inverse.isOrdered { members[inverse]?.sort() }
        }
        members[side] = side.isOrdered ? new : new.sorted()
    }

    mutating func setAlbum(_ album: Int, _ new: [Int]) {
        for other in albums.indices { albums[other].removeAll(where: new.contains) }
        albums[album] = new
    }

    mutating func setAlbum(of song: Int, _ album: Int?) {
        guard self.album(of: song) != album else { return }
        for other in albums.indices { albums[other].removeAll { $0 == song } }
        if let album { albums[album].append(song) }
    }

    // MARK: Differences

    /// Returns the members of a side after the difference between two lists is applied to a third list.
    ///
    /// The code is as simple as possible and independent of the library.
    static func merged(base: [Int], current: [Int], stored: [Int], isOrdered: Bool) -> [Int] {
        guard isOrdered else {
            let (base, current) = (Set(base), Set(current))
            return Set(stored).subtracting(base.subtracting(current)).union(current.subtracting(base)).sorted()
        }
        let staying = longestRun(current.compactMap { base.firstIndex(of: $0) }).map { base[$0] }
        var result = stored.filter { staying.contains($0) || (!base.contains($0) && !current.contains($0)) }
        var last: Int?
        for (index, member) in current.enumerated() {
            if staying.contains(member) {
                if stored.contains(member) { last = member }
                continue
            }
            // Another transaction removed the member.
            if base.contains(member), !stored.contains(member) { continue }
            let isFollowed = current[index...].contains { staying.contains($0) && stored.contains($0) }
            let place = isFollowed ? last.flatMap { result.firstIndex(of: $0) }.map { $0 + 1 } ?? 0 : result.count
            result.insert(member, at: place)
            last = member
        }
        return result
    }

    /// The longest ascending subsequence.
    ///
    /// Of several, it is the subsequence that ends last. Before that end, its members come as late as possible.
    private static func longestRun(_ numbers: [Int]) -> [Int] {
        var lengths: [Int] = []
        for (index, number) in numbers.enumerated() {
            lengths.append(1 + ((0..<index).filter { numbers[$0] < number }.map { lengths[$0] }.max() ?? 0))
        }
        var run: [Int] = []
        var end = numbers.count
        for length in stride(from: lengths.max() ?? 0, to: 0, by: -1) {
            guard let index = (0..<end).last(where: { lengths[$0] == length }) else { break }
            run.insert(numbers[index], at: 0)
            end = index
        }
        return run
    }
}

/// The values that one transaction sees, and its changes.
struct MergingChanges {
    /// The stored values at the last refresh of the transaction.
    var base: MergingModel
    /// The values that the transaction shows.
    var current: MergingModel
    /// The former members of the sides that the transaction set directly.
    var expected: [MergingModel.Side: [Int]] = [:]
    /// The songs whose album was set.
    var touched: Set<Int> = []

    init(_ stored: MergingModel) { (base, current) = (stored, stored) }

    /// Whether another transaction has changed the sides that this transaction has set.
    ///
    /// If the changes of this transaction cancelled each other out, there is nothing to save and no conflict.
    func conflicts(with stored: MergingModel) -> Bool {
        base.members != current.members && expected.contains { $0.value != stored.members[$0.key] }
    }

    /// Applies the changes to the values that are stored now.
    mutating func lookAgain(_ stored: MergingModel) {
        current = merged(into: stored, isRefresh: true)
        base = stored
    }

    /// Whether no other transaction has changed an album.
    func knowsAlbums(_ stored: MergingModel) -> Bool { base.albums == stored.albums }

    /// Returns the stored values with the changes applied.
    ///
    /// - Parameter isRefresh: whether an album that was set to its former value counts as a change.
    func merged(into stored: MergingModel, isRefresh: Bool) -> MergingModel {
        var result = stored
        for side in MergingModel.Side.allCases {
            result.members[side] = MergingModel.merged(
                base: base.members[side] ?? [], current: current.members[side] ?? [],
                stored: stored.members[side] ?? [], isOrdered: side.isOrdered)
        }
        if knowsAlbums(stored) {
            result.albums = current.albums
        } else {
            for song in touched where isRefresh || base.album(of: song) != current.album(of: song) {
                result.setAlbum(of: song, current.album(of: song))
            }
        }
        return result
    }
}
