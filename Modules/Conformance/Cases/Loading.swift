import CofferStorage
import CofferStorageTools
import Foundation

/// The cases about loading and copying a store with the whole content of another store.
extension ConformanceCase {
    /// The loading of stores with the whole content of another store.
    ///
    /// A store that cannot be loaded must throw an error.
    static let loading: [ConformanceCase] = loadedContent + loadedWhole

    private static let loadedContent: [ConformanceCase] = [
        withLoadable("loading/rows", "Loaded rows keep their keys, entities, versions and values.") { store, town in
            try town.update("Ann", ["nick": .text("Annie")])
            let copy = try town.copied(to: store)
            try expectEqual(try copy.lines(), try town.lines(), "the rows")
            try copy.expectRow("Ann", version: 2)
            try copy.expectCount(of: "Student", 2, "the students")
        },
        withLoadable(
            "loading/values", "Values of every type are loaded, under any name, in any number of columns."
        ) { store, session in
            for seed in 0..<20 as Range<UInt64> {
                var random = SeededGenerator(seed: seed)
                for name in ["Everything", "Wide", "order"] {
                    let entity = try session.entity(name).entity
                    let unique = Set(entity.uniqueConstraints.joined())
                    var values: [String: Value] = [:]
                    for (slot, column) in entity.columns.enumerated() where !unique.contains(slot) {
                        values[column.name] = RandomValue.common(column.kind, isWild: seed % 2 == 0, &random)
                    }
                    try session.insert(name, values)
                }
            }
            try session.insert("Everything", ["text": .text("a\u{0}b\u{10FFFF}"), "blob": .blob(Data([0, 255]))])
            try session.insert("Everything", ["double": .double(-.infinity), "integer": .integer(.min)])
            try expectEqual(try session.copied(to: store).lines(), try session.lines(), "the rows")
        },
        ConformanceCase("loading/random", "A loaded store contains the same rows as a dictionary.") { context in
            for round in 0..<5 as Range<UInt64> {
                var random = SeededGenerator(seed: Settings.seed &+ round)
                let layout = try ModelLayout(RandomModel.make(&random))
                var oracle = Oracle(layout: layout)
                var changes = RandomChanges(layout: layout)
                var next: [Int: Int64] = [:]
                for _ in 0..<3 {
                    let set = try changes.next(oracle, &random) { root, count in
                        defer { next[root, default: 1] += Int64(count) }
                        return next[root, default: 1]..<(next[root, default: 1] + Int64(count))
                    }
                    _ = oracle.apply(set)
                }
                guard let store = try context.loadable() else { return }
                try store.load(layout, as: UUID()) { loader throws(StorageError) in
                    for root in Set(layout.entities.map(\.root)) { try loader.add(oracle.rows(root: root).reversed()) }
                    for table in layout.linkTables {
                        let links = (oracle.links[table.index] ?? [:]).values
                        let isSelfInverse = table.first == table.second
                        try loader.add(links.filter { !isSelfInverse || $0.first <= $0.second })
                    }
                }
                try Session(store, layout).expectContent(of: oracle)
                try store.erase()
            }
        },
        withLoadable(
            "loading/links", "Loaded links keep their places on both sides, and each link is read once."
        ) { store, town in
            let copy = try town.copied(to: store)
            try expectEqual(try copy.paths(), try town.paths(), "the related objects")
            let favorites = try [
                town.favorite("Ann", "Dune", bookPlace: 1, readerPlace: 1), town.favorite("Ann", "Emma"),
                town.favorite("Bob", "Dune"),
            ].sorted { ($0.first, $0.second) < ($1.first, $1.second) }
            for limit in 1...4 {
                let found = try copy.links("favorites", limit: limit)
                try expectEqual(found, favorites, "the favorites, \(limit) at a time")
            }
            let tags = try [("Ann", "red"), ("Ann", "blue"), ("Dan", "red"), ("Rex", "red")].map(town.tagLink)
                .sorted { ($0.first, $0.second) < ($1.first, $1.second) }
            try expectEqual(try copy.links("tags", limit: 2), tags, "the tags, 2 at a time")
        },
        withLoadable(
            "loading/self-inverse",
            "Each link of a relationship that is its own inverse is read in one direction and loaded in both."
        ) { store, town in
            let (ann, bob, dan, eve) = try (town.key("Ann"), town.key("Bob"), town.key("Dan"), town.key("Eve"))
            try town.commit { try $0.links = [town.link("friends", eve, eve)] }
            let copy = try town.copied(to: store)
            try expectEqual(try copy.paths(), try town.paths(), "the related objects")
            let pairs = try copy.links("friends", limit: 2).map { [$0.first, $0.second] }
            try expectEqual(pairs, [[ann, bob], [ann, dan], [eve, eve]], "the friends, 2 at a time")
        },
    ]

    private static let loadedWhole: [ConformanceCase] = [
        ConformanceCase("loading/unsupported", "A store that cannot load throws an error and creates nothing.") {
            let store = try $0.loadable() ?? $0.makeStore()
            try expectEqual(try store.inspect(), nil, "the metadata of the store")
        },
        withLoadable(
            "loading/metadata", "A loaded store has the given id and model, and is closed."
        ) { store, town in
            let id = UUID()
            try store.load(town.layout, as: id, fill: { _ in })
            try expectThrows(.closed, "reading") { try store.makeReader().count(RowRequest(entity: 0)) }
            try expectEqual(try store.inspect(), StoreMetadata(store: id, model: Domain.model), "the metadata")
            let session = try Session(store, town.layout)
            try expectEqual(session.metadata.store, id, "the store's id")
            let key = try session.insert("Tag", ["label": .text("new")])
            try expectEqual(try session.keys(session.tag.request()), [key], "the tags")
        },
        withLoadable(
            "loading/keys", "New keys begin at the given key, and never at the key of a loaded row."
        ) { store, town in
            let layout = town.layout
            let rows = try ["Tag", "Book", "Person"].map { try town.entity($0).row(41) }
            let zero = try town.tag.row(0)
            try expectThrows(.invalidRequest, "loading a tag with the key 0 after another tag") {
                try store.load(layout, as: UUID()) { loader throws(StorageError) in try loader.add([rows[0], zero]) }
            }
            try store.load(layout, as: UUID()) { loader throws(StorageError) in
                try loader.add(rows)
                try loader.continueKeys(at: 100, root: layout.entities[rows[0].entity].root)
                try loader.continueKeys(at: 7, root: layout.entities[rows[1].entity].root)
            }
            let session = try Session(store, layout)
            try expectEqual(try session.newKey("Tag"), 100, "the next key of a tag")
            try expect(try session.newKey("Book") > 41, "a new book key above the key of the loaded book")
            try expect(try session.newKey("Creature") > 41, "a new creature key above the key of the loaded person")
        },
        withLoadable(
            "loading/unique-violation", "Rows that violate a unique constraint are refused, and no store is created."
        ) { store, town in
            let rows = try [1, 2].map { try town.book.row($0, ["isbn": .text("1")]) }
            try expectThrows(.uniqueViolation, naming: ["'Book.isbn'"], "loading books with the same isbn") {
                try store.load(town.layout, as: UUID()) { loader throws(StorageError) in try loader.add(rows) }
            }
            try expectEqual(try store.inspect(), nil, "the metadata of the store")
        },
        withTown(
            "loading/occupied", "An existing store, open or closed, is not loaded and does not change."
        ) { town in
            let (before, store) = (try town.lines(), town.store)
            guard store is any LoadableStorage else { return }
            let load = { try store.load(town.layout, as: UUID(), fill: { _ in }) }
            try expectThrows(.busy, "loading an open store", load)
            store.close()
            try expectThrows(.unavailable, "loading an existing store", load)
            try expectEqual(try Session(store, town.layout).lines(), before, "the rows")
        },
        withLoadable("loading/atomic", "If reading the source fails, no store is created.") { store, town in
            let (rows, links) = try (town.rows(town.creature.request()), town.links("tags", limit: 9))
            let stopped = StorageError(.failed, "Stopped.")
            try expectThrows(.failed, saying: "Stopped.", "the loading") {
                try store.load(town.layout, as: UUID()) { loader throws(StorageError) in
                    try loader.add(rows)
                    try loader.add(links)
                    throw stopped
                }
            }
            try expectEqual(try store.inspect(), nil, "the metadata of the store")
            try expectEqual(try town.copied(to: store).lines(), try town.lines(), "the rows")
        },
        withLoadable("loading/refused", "If the verification fails, no store is created.") { store, town in
            let row = try town.tag.row(1)
            try expectThrows(.failed, saying: "Not so.", "the verification") {
                try store.load(town.layout, as: UUID()) { loader throws(StorageError) in
                    try loader.add([row])
                } verify: { _ throws(StorageError) in
                    throw StorageError(.failed, "Not so.")
                }
            }
            try expectEqual(try store.inspect(), nil, "the metadata of the store")
            try Session(store, town.layout).expectCount(of: "Tag", 0, "the tags")
        },
        withLoadable("loading/verify", "All loaded rows are read back before other processes see the store.") {
            store, town in
            let creatures = try town.creature.request()
            let (rows, links) = try (town.rows(creatures), town.links("tags", limit: 9))
            var seen: (keys: [Int64], isThere: Bool)?
            try store.load(town.layout, as: UUID()) { loader throws(StorageError) in
                try loader.add(rows)
                try loader.add(links)
            } verify: { reader throws(StorageError) in
                seen = (try reader.rows(creatures).map(\.key), try store.inspect() != nil)
            }
            try expectEqual(seen?.keys, rows.map(\.key), "the keys that are read back")
            try expectEqual(seen?.isThere, false, "whether the store exists before")
        },
        withLoadable(
            "loading/summary", "A copy has the summary of its source, and a changed store has another summary."
        ) { store, town in
            let copy = try town.copied(to: store)
            let summary = try town.summary()
            try expectEqual(try copy.summary(), summary, "the summary")
            try expectEqual(summary.rowCount, 16, "the number of rows")
            try expectEqual(summary.linkCount, 9, "the number of links")
            try copy.update("Dune", ["price": .decimal(cents: 998)])
            let repriced = try copy.summary()
            try expect(repriced.checksum != summary.checksum, "another checksum after a price changed")
            try copy.commit { try $0.links = [town.favorite("Ann", "Dune", bookPlace: 9, readerPlace: 1)] }
            try expect(
                try copy.summary().relationships != repriced.relationships,
                "another checksum after a book changed its place")
        },
    ]
}
