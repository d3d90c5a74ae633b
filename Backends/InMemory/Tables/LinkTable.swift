import CofferEvaluation
import CofferStorage

/// The link table of one many-to-many relationship, with an index for each direction.
///
/// A link table is immutable after it was published.
struct LinkTable: Sendable {
    /// The links from the first side to the second; `backward` contains the links in the other direction.
    var forward: LinkSide
    var backward: LinkSide

    init(_ layout: LinkTableLayout) {
        forward = LinkSide(isOrdered: layout.isFirstOrdered)
        backward = LinkSide(isOrdered: layout.isSecondOrdered)
    }

    mutating func add(_ link: ChangeSet.Link) {
        forward.set(link.first, link.second, link.firstPosition)
        backward.set(link.second, link.first, link.secondPosition)
    }

    mutating func remove(_ first: Int64, _ second: Int64) {
        forward.remove(first, second)
        backward.remove(second, first)
    }

    /// Sets the places of a link, if the table contains the link.
    mutating func move(_ link: ChangeSet.Link) {
        guard forward.contains(link.first, link.second) else { return }
        add(link)
    }

    /// Calls the closure with every link, with the places of both sides.
    func forEachLink(of table: Int, _ body: (ChangeSet.Link) -> Void) {
        forward.forEachLink { first, second, position in
            body(
                .init(
                    table: table, first: first, second: second, firstPosition: position,
                    secondPosition: backward.position(second, first)))
        }
    }

    /// Removes the links of a row on one side.
    mutating func removeAll(of key: Int64, isFirst: Bool) {
        for other in (isFirst ? forward : backward).others(key) {
            remove(isFirst ? key : other, isFirst ? other : key)
        }
    }
}

/// The links of one side: for each owner, its related objects in order.
struct LinkSide: Sendable {
    private let isOrdered: Bool
    private var tree = EntryTree()
    /// The place of each link, by owner and related object, to find an entry of `tree`; empty if there is no order.
    private var places = EntryTree()

    init(isOrdered: Bool) { self.isOrdered = isOrdered }

    /// Adds a link or sets its place; if the new place is nil, an existing link keeps its place.
    mutating func set(_ owner: Int64, _ other: Int64, _ position: Int64?) {
        guard isOrdered else {
            tree.insert(Entry(word: SortWord(owner: owner, position: nil), key: other), by: Entry.precedes)
            return
        }
        if let code = code(owner, other) {
            guard position != nil else { return }
            remove(owner, other, code)
        }
        let word = SortWord(owner: owner, position: position)
        tree.insert(Entry(word: word, key: other), by: Entry.precedes)
        places.insert(place(owner, other, Int64(bitPattern: word.low)), by: Entry.precedes)
    }

    mutating func remove(_ owner: Int64, _ other: Int64) {
        guard isOrdered else {
            tree.remove(Entry(word: SortWord(owner: owner, position: nil), key: other), by: Entry.precedes)
            return
        }
        if let code = code(owner, other) { remove(owner, other, code) }
    }

    private mutating func remove(_ owner: Int64, _ other: Int64, _ code: Int64) {
        places.remove(place(owner, other, code), by: Entry.precedes)
        let word = SortWord(high: SortWord(owner).high, low: UInt64(bitPattern: code))
        tree.remove(Entry(word: word, key: other), by: Entry.precedes)
    }

    /// Returns the place of a link in the encoding of `tree`; nil if there is no link.
    private func code(_ owner: Int64, _ other: Int64) -> Int64? {
        let start = place(owner, other, .min)
        var found: Int64?
        places.walk(from: { Entry.precedes($0, start) }) {
            if $0.word == start.word { found = $0.key }
            return false
        }
        return found
    }

    /// Calls the closure with the keys of an owner's related objects, in order, until it returns false.
    func forEach(_ owner: Int64, _ body: (Int64) -> Bool) { tree.forEach(owner: owner, body) }

    /// Calls the closure with every link, by owner and in order.
    func forEachLink(_ body: (_ owner: Int64, _ other: Int64, _ position: Int64?) -> Void) {
        tree.walk {
            let position = $0.word.low == 0 ? nil : Int64(bitPattern: $0.word.low ^ (1 << 63))
            body(Int64(bitPattern: $0.word.high ^ (1 << 63)), $0.key, position)
            return true
        }
    }

    /// Calls the closure with owners and related objects in the order of both keys, until it returns false.
    ///
    /// The first link is the first one after a pair of keys.
    func forEachPair(
        after pair: (owner: Int64, other: Int64)?, _ body: (_ owner: Int64, _ other: Int64) -> Bool
    ) {
        func key(_ word: UInt64) -> Int64 { Int64(bitPattern: word ^ (1 << 63)) }
        let start = pair.map { place($0.owner, $0.other, .max) }
        if isOrdered {
            places.walk(from: { entry in start.map { !($0.word < entry.word) } ?? false }) {
                body(key($0.word.high), key($0.word.low))
            }
        } else {
            let last = pair.map { Entry(word: SortWord(owner: $0.owner, position: nil), key: $0.other) }
            tree.walk(from: { entry in last.map { !Entry.precedes($0, entry) } ?? false }) {
                body(key($0.word.high), $0.key)
            }
        }
    }

    /// Calls the closure with the keys of an owner's related objects and their places, in order.
    func forEachPlace(_ owner: Int64, _ body: (_ other: Int64, _ position: Int64?) -> Void) {
        let high = SortWord(owner).high
        tree.walk(from: { $0.word.high < high }) {
            guard $0.word.high == high else { return false }
            body($0.key, $0.word.low == 0 ? nil : Int64(bitPattern: $0.word.low ^ (1 << 63)))
            return true
        }
    }

    /// Whether there is a link.
    func contains(_ owner: Int64, _ other: Int64) -> Bool {
        if isOrdered { return code(owner, other) != nil }
        let entry = Entry(word: SortWord(owner: owner, position: nil), key: other)
        var isThere = false
        tree.walk(from: { Entry.precedes($0, entry) }) {
            isThere = $0 == entry
            return false
        }
        return isThere
    }

    /// Returns the place of a link; nil if the link has no place.
    func position(_ owner: Int64, _ other: Int64) -> Int64? {
        guard isOrdered, let code = code(owner, other), code != 0 else { return nil }
        return Int64(bitPattern: UInt64(bitPattern: code) ^ (1 << 63))
    }

    func others(_ owner: Int64) -> [Int64] {
        var others: [Int64] = []
        forEach(owner) {
            others.append($0)
            return true
        }
        return others
    }

    private func place(_ owner: Int64, _ other: Int64, _ code: Int64) -> Entry {
        Entry(word: SortWord(high: SortWord(owner).high, low: SortWord(other).high), key: code)
    }
}

extension EntryTree {
    /// Calls the closure with the keys of the entries whose words begin with an owner, until it returns false.
    func forEach(owner: Int64, _ body: (Int64) -> Bool) {
        let high = SortWord(owner).high
        walk(from: { $0.word.high < high }) { $0.word.high == high && body($0.key) }
    }

    /// Calls the closure with each owner and the keys of its entries; one walk visits neighbouring owners.
    func forEach(owners: [Int64], _ body: (_ owner: Int64, _ key: Int64) -> Void) {
        var next = 0
        while next < owners.count {
            let start = SortWord(owners[next]).high
            var wanted = start
            var isOver = true
            walk(from: { $0.word.high < start }) { entry in
                if entry.word.high > wanted {
                    next += 1
                    if next < owners.count { wanted = SortWord(owners[next]).high }
                    // The walk continues only if its next entry belongs to the next owner.
                    isOver = next == owners.count
                    guard !isOver, entry.word.high == wanted else { return false }
                    isOver = true
                }
                body(owners[next], entry.key)
                return true
            }
            if isOver { next += 1 }
        }
    }
}
