/// What playlists, songs and albums lead to, in plain values, and the differences that transactions make.
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

        /// The same relationship as one of its members sees it.
        func inverse(of member: Int) -> Side {
            switch self {
            case .songs: .lists(member)
            case .lists: .songs(member)
            case .favorites: .fans(member)
            case .fans: .favorites(member)
            }
        }
    }

    /// The members; those of sides without an order in ascending order.
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

    /// What becomes of the members of a side when the difference between two lists is made on a third.
    ///
    /// Written as simply as possible, and independently of the library.
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
            // Somebody else removed it.
            if base.contains(member), !stored.contains(member) { continue }
            let isFollowed = current[index...].contains { staying.contains($0) && stored.contains($0) }
            let place = isFollowed ? last.flatMap { result.firstIndex(of: $0) }.map { $0 + 1 } ?? 0 : result.count
            result.insert(member, at: place)
            last = member
        }
        return result
    }

    /// The longest ascending subsequence: of several, the one that ends last, and whose members come as late as they
    /// can before that.
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

/// What one transaction sees and has changed.
struct MergingChanges {
    /// What was stored when the transaction last looked.
    var base: MergingModel
    /// What it shows.
    var current: MergingModel
    /// What the sides that were set themselves led to before.
    var expected: [MergingModel.Side: [Int]] = [:]
    /// The songs whose album was set.
    var touched: Set<Int> = []

    init(_ stored: MergingModel) { (base, current) = (stored, stored) }

    /// Whether someone else has changed what the transaction has set.
    ///
    /// Where the changes have cancelled each other out, there is nothing to save.
    func conflicts(with stored: MergingModel) -> Bool {
        base.members != current.members && expected.contains { $0.value != stored.members[$0.key] }
    }

    /// Looks at what is stored, and makes the changes on that.
    mutating func lookAgain(_ stored: MergingModel) {
        current = merged(into: stored, isRefresh: true)
        base = stored
    }

    /// Whether nobody else has changed an album.
    func knowsAlbums(_ stored: MergingModel) -> Bool { base.albums == stored.albums }

    /// The changes made on what is stored.
    ///
    /// - Parameter isRefresh: whether albums that were set stay set, also where they are as they were.
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
