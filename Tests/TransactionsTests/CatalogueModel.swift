import Coffer
import CofferStorage
import TestSupport

/// The objects of a ``Catalogue`` as plain values; a fetch of the model tries every item.
struct CatalogueModel {
    struct Item {
        var key: Int64
        var isSpecial = false
        var number = 0
        var grade = 0
        var code: String?
        var weight = 0.0
        var album: Int64?
        var tags: Set<Int64> = []
    }

    struct Album {
        var name = ""
        var year = 0
        var artist: Int64?
    }

    var items: [Int64: Item] = [:]
    var albums: [Int64: Album] = [:]
    var artists: [Int64: String] = [:]
    var tags: [Int64: String] = [:]
    /// The ids of all objects, by their classes and keys.
    private var ids: [String: ObjectID] = [:]

    // MARK: Changes

    /// Makes one random change in a transaction and in the model.
    mutating func change(_ transaction: BaseDataTransaction, _ random: inout SeededGenerator) throws {
        switch random.below(16) {
        case 0...3: create(transaction, &random)
        case 4...8:
            guard let key = randomKey(items, &random), let item: Catalogue.Item = object(key, transaction) else {
                return
            }
            try change(item, key, transaction, &random)
        case 9:
            guard let key = randomKey(items, &random), let item: Catalogue.Item = object(key, transaction) else {
                return
            }
            transaction.delete(item)
            items[key] = nil
        case 10, 11: createAlbum(transaction, &random)
        case 12, 13:
            guard let key = randomKey(albums, &random), let album: Catalogue.Album = object(key, transaction) else {
                return
            }
            let name = "n\(random.below(9))"
            album.name = name
            albums[key]?.name = name
        case 14:
            guard random.chance(40), let key = randomKey(albums, &random),
                let album: Catalogue.Album = object(key, transaction)
            else { return }
            transaction.delete(album)
            albums[key] = nil
            for item in items.values where item.album == key { items[item.key]?.album = nil }
        default:
            guard let key = randomKey(tags, &random), let tag: Catalogue.Tag = object(key, transaction) else { return }
            let name = "t\(random.below(6))"
            tag.name = name
            tags[key] = name
        }
    }

    private func object<O: CoreStoreObject>(_ key: Int64, _ transaction: BaseDataTransaction) -> O? {
        ids["\(O.self) \(key)"].flatMap { transaction.fetchExisting($0) }
    }

    private func randomKey<Value>(_ objects: [Int64: Value], _ random: inout SeededGenerator) -> Int64? {
        objects.keys.sorted().randomElement(using: &random)
    }

    mutating func create(_ transaction: BaseDataTransaction, _ random: inout SeededGenerator) {
        let isSpecial = random.chance(30)
        let object =
            isSpecial ? transaction.create(Into<Catalogue.Special>()) : transaction.create(Into<Catalogue.Item>())
        var item = Item(key: object.cs_id().key, isSpecial: isSpecial)
        item.number = random.below(60)
        item.grade = random.below(4)
        item.code = random.chance(15) ? nil : Self.code(&random)
        item.weight = Double(random.below(40)) / 4 - 3
        (object.number, object.grade, object.code, object.weight) = (item.number, item.grade, item.code, item.weight)
        items[item.key] = item
        ids["Item \(item.key)"] = object.cs_id()
    }

    mutating func createAlbum(_ transaction: BaseDataTransaction, _ random: inout SeededGenerator) {
        let object = transaction.create(Into<Catalogue.Album>())
        var album = Album(name: "n\(random.below(9))", year: random.below(20))
        (object.name, object.year) = (album.name, album.year)
        if let key = randomKey(artists, &random), let artist: Catalogue.Artist = self.object(key, transaction) {
            object.artist = artist
            album.artist = key
        }
        albums[object.cs_id().key] = album
        ids["Album \(object.cs_id().key)"] = object.cs_id()
    }

    mutating func createOthers(_ transaction: BaseDataTransaction) {
        for number in 0..<3 {
            let artist = transaction.create(Into<Catalogue.Artist>())
            artist.name = "a\(number)"
            artists[artist.cs_id().key] = artist.name
            ids["Artist \(artist.cs_id().key)"] = artist.cs_id()
        }
        for number in 0..<6 {
            let tag = transaction.create(Into<Catalogue.Tag>())
            tag.name = "t\(number)"
            tags[tag.cs_id().key] = tag.name
            ids["Tag \(tag.cs_id().key)"] = tag.cs_id()
        }
    }

    private static func code(_ random: inout SeededGenerator) -> String {
        // Some codes differ only after the bytes that an index compares.
        (random.chance(50) ? "c" : "a-common-beginning-") + "\(random.below(30))"
    }

    private mutating func change(
        _ object: Catalogue.Item, _ key: Int64, _ transaction: BaseDataTransaction, _ random: inout SeededGenerator
    ) throws {
        guard var item = items[key] else { return }
        switch random.below(6) {
        case 0:
            item.number = random.below(60)
            object.number = item.number
        case 1:
            item.grade = random.below(4)
            object.grade = item.grade
        case 2:
            item.code = random.chance(20) ? nil : Self.code(&random)
            object.code = item.code
        case 3:
            item.album = random.chance(20) ? nil : randomKey(albums, &random)
            let album: Catalogue.Album? = item.album.flatMap { self.object($0, transaction) }
            object.album = album
        default:
            guard let key = randomKey(tags, &random), let tag: Catalogue.Tag = self.object(key, transaction) else {
                return
            }
            if item.tags.remove(key) == nil {
                item.tags.insert(key)
                object.tags.insert(tag)
            } else {
                object.tags.remove(tag)
            }
        }
        items[key] = item
    }

    // MARK: Fetches

    func name(ofAlbumOf item: Item) -> String? { item.album.flatMap { albums[$0]?.name } }

    func artist(of item: Item) -> String? {
        item.album.flatMap { albums[$0]?.artist }.flatMap { artists[$0] }
    }

    /// The items of an item's album; nil if the item has no album.
    func items(besides item: Item) -> [Item]? { item.album.map { album in items.values.filter { $0.album == album } } }

    /// Returns the keys of the items that a fetch finds.
    func keys(_ fetch: RandomCatalogueFetch) -> [Int64] {
        var found = items.values.filter { item in
            (fetch.isSpecial ? item.isSpecial : fetch.includesSubentities || !item.isSpecial)
                && fetch.condition.isTrue(item, self)
        }
        found.sort { left, right in
            for order in fetch.order {
                switch order.isBefore(left, right, self) {
                case true?: return true
                case false?: return false
                case nil: continue
                }
            }
            return left.key < right.key
        }
        return found.dropFirst(fetch.offset).prefix(fetch.limit ?? .max).map(\.key)
    }
}
