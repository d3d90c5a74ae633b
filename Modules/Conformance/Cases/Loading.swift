import CofferStorage
import CofferStorageTools
import Foundation

/// The cases about loading and copying a store with the whole content of another store.
extension ConformanceCase {
    /// Stores that are made with everything another one holds.
    ///
    /// Of a store that cannot be loaded: that it says so.
    static let loading: [ConformanceCase] = loadedContent + loadedWhole

    private static let loadedContent: [ConformanceCase] = [
        ConformanceCase("loading/rows", "Rows keep their keys, entities, versions and values.") {
            let context = $0
            try $0.elsewhere { session in
                let town = try Town(in: session)
                let ann = try session.row("Person", town.key("Ann"))
                try session.commit { try $0.updates.append(town.person.update(ann, ["nick": .text("Annie")])) }
                guard let copy = try context.copied(session) else { return }
                try expectEqual(try copy.lines(), try session.lines(), "the rows")
                try expectEqual(try copy.row("Person", town.key("Ann")).version, 2, "the version of Ann's row")
                try expectEqual(try copy.count(town.student.request()), 2, "the students")
            }
        },
        ConformanceCase("loading/values", "Every kind of value is kept, under any name, in any number of columns.") {
            let context = $0
            try $0.elsewhere { session in
                for seed in 0..<20 as Range<UInt64> {
                    var random = SeededGenerator(seed: seed)
                    for name in ["Everything", "Wide", "order"] {
                        let entity = try session.entity(name).entity
                        var values: [String: Value] = [:]
                        for column in entity.columns
                        where !entity.uniqueConstraints.joined().contains(where: {
                            entity.columns[$0].name == column.name
                        }) {
                            values[column.name] = RandomValue.common(column.kind, isWild: seed % 2 == 0, &random)
                        }
                        try session.insert(name, values)
                    }
                }
                try session.insert("Everything", ["text": .text("a\u{0}b\u{10FFFF}"), "blob": .blob(Data([0, 255]))])
                try session.insert("Everything", ["double": .double(-.infinity), "integer": .integer(.min)])
                guard let copy = try context.copied(session) else { return }
                try expectEqual(try copy.lines(), try session.lines(), "the rows")
            }
        },
        ConformanceCase("loading/random", "What is loaded of a naive dictionary is what is found.") { context in
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
                let session = try context.opened(store, layout)
                try session.expectContent(of: oracle)
                try store.erase()
            }
        },
        ConformanceCase("loading/links", "Links keep their places on both sides, and are read in pages, each once.") {
            let context = $0
            try $0.elsewhere { session in
                let town = try Town(in: session)
                guard let copy = try context.copied(session) else { return }
                try expectEqual(try copy.paths(), try session.paths(), "what relationships lead to")
                let table = try town.person.linkTable("favorites")
                let favorites = [
                    try town.favorite("Ann", "Dune", bookPlace: 1, readerPlace: 1),
                    try town.favorite("Ann", "Emma", bookPlace: 0, readerPlace: 0),
                    try town.favorite("Bob", "Dune", bookPlace: 0, readerPlace: 0),
                ].sorted { ($0.first, $0.second) < ($1.first, $1.second) }
                for limit in 1...4 {
                    try expectEqual(try copy.links(table, limit: limit), favorites, "the favorites, \(limit) at a time")
                }
                let tags = try ["Ann": ["red", "blue"], "Dan": ["red"], "Rex": ["red"]].flatMap { name, labels in
                    try labels.map { try town.tagLink(name, $0) }
                }
                try expectEqual(
                    try copy.links(town.creature.linkTable("tags"), limit: 2),
                    tags.sorted { ($0.first, $0.second) < ($1.first, $1.second) }, "the tags, 2 at a time")
            }
        },
        ConformanceCase(
            "loading/self-inverse",
            "Of a relationship that is its own inverse each link is read one way, and kept both."
        ) {
            let context = $0
            try $0.elsewhere { session in
                let town = try Town(in: session)
                let table = try town.person.linkTable("friends")
                try session.commit { changes in
                    try changes.links.append(.init(table: table, first: town.key("Eve"), second: town.key("Eve")))
                }
                guard let copy = try context.copied(session) else { return }
                try expectEqual(try copy.paths(), try session.paths(), "what relationships lead to")
                let pairs = try copy.links(table, limit: 2).map { [$0.first, $0.second] }
                try expectEqual(
                    pairs,
                    try [("Ann", "Bob"), ("Ann", "Dan"), ("Eve", "Eve")].map { [try town.key($0), try town.key($1)] },
                    "the friends, 2 at a time")
            }
        },
    ]

    private static let loadedWhole: [ConformanceCase] = [
        ConformanceCase("loading/unsupported", "A store that cannot be loaded says so, and nothing is made.") {
            let store = try $0.loadable() ?? $0.makeStore()
            try expectEqual(try store.inspect(), nil, "what is there")
        },
        ConformanceCase("loading/metadata", "A loaded store has the id and the model that it is given, and is closed.")
        {
            guard let store = try $0.loadable() else { return }
            let layout = try ModelLayout(Domain.model)
            let id = UUID()
            try store.load(layout, as: id, fill: { _ in })
            try expectThrows(.closed, "reading") { try store.makeReader().count(RowRequest(entity: 0)) }
            try expectEqual(try store.inspect(), StoreMetadata(store: id, model: Domain.model), "what the store says")
            let session = try $0.opened(store, layout)
            try expectEqual(session.metadata.store, id, "the store's id")
            let key = try session.insert("Tag", ["label": .text("new")])
            try expectEqual(try session.keys(session.entity("Tag").request()), [key], "the tags")
        },
        ConformanceCase("loading/keys", "Keys go on where the loader says, and never at one that a row has.") {
            guard let store = try $0.loadable() else { return }
            let layout = try ModelLayout(Domain.model)
            let rows = try ["Tag", "Book", "Person"].map { name in
                guard let entity = layout.entity(named: name) else { throw Mismatch("There is no '\(name)'.") }
                return try TestEntity(layout: layout, entity: entity).row(41)
            }
            try store.load(layout, as: UUID()) { loader throws(StorageError) in
                try loader.add(rows)
                try loader.continueKeys(at: 100, root: layout.entities[rows[0].entity].root)
                try loader.continueKeys(at: 7, root: layout.entities[rows[1].entity].root)
            }
            let session = try $0.opened(store, layout)
            try expectEqual(try session.newKey("Tag"), 100, "the next key of a tag")
            try expect(try session.newKey("Book") > 41, "the next key of a book to be above that of the book")
            try expect(try session.newKey("Creature") > 41, "the next key of a creature to be above that of the person")
        },
        ConformanceCase(
            "loading/unique-violation", "Rows that break a unique constraint are refused, and nothing is made."
        ) {
            guard let store = try $0.loadable() else { return }
            let layout = try ModelLayout(Domain.model)
            guard let entity = layout.entity(named: "Book") else { throw Mismatch("There is no 'Book'.") }
            let book = TestEntity(layout: layout, entity: entity)
            let rows = try [1, 2].map { try book.row($0, ["isbn": .text("1")]) }
            let error = try expectThrows(.uniqueViolation, "loading books of one number") {
                try store.load(layout, as: UUID()) { loader throws(StorageError) in try loader.add(rows) }
            }
            try expect(error.message.contains("'Book.isbn'"), "an error that names 'Book.isbn', and not \(error)")
            try expectEqual(try store.inspect(), nil, "what is there")
        },
        ConformanceCase("loading/occupied", "A store that is there, open or closed, is not loaded, and stays as it is.")
        {
            let town = try $0.town()
            let before = try town.session.lines()
            let store = town.session.store
            guard store is any LoadableStorage else { return }
            let load = { try store.load(town.session.layout, as: UUID(), fill: { _ in }) }
            try expectThrows(.busy, "loading an open store", load)
            store.close()
            try expectThrows(.unavailable, "loading a store that is there", load)
            try expectEqual(try $0.opened(store, town.session.layout).lines(), before, "the rows")
        },
        ConformanceCase("loading/atomic", "When handing over ends with an error, nothing is made.") {
            let context = $0
            try $0.elsewhere { session in
                let town = try Town(in: session)
                guard let store = try context.loadable() else { return }
                let rows = try session.rows(town.creature.request())
                let links = try session.links(town.creature.linkTable("tags"), limit: 9)
                let stopped = StorageError(.failed, "Stopped.")
                let error = try expectThrows(.failed, "handing over") {
                    try store.load(session.layout, as: UUID()) { loader throws(StorageError) in
                        try loader.add(rows)
                        try loader.add(links)
                        throw stopped
                    }
                }
                try expectEqual(error.message, "Stopped.", "the text of the error")
                try expectEqual(try store.inspect(), nil, "what is there")
                try session.store.copy(session.layout, to: store)
                try expectEqual(try context.opened(store, session.layout).lines(), try session.lines(), "the rows")
            }
        },
        ConformanceCase("loading/refused", "When reading back ends with an error, nothing is made.") {
            guard let store = try $0.loadable() else { return }
            let layout = try ModelLayout(Domain.model)
            guard let tag = layout.entity(named: "Tag") else { throw Mismatch("There is no 'Tag'.") }
            let row = try TestEntity(layout: layout, entity: tag).row(1)
            let error = try expectThrows(.failed, "reading back") {
                try store.load(layout, as: UUID()) { loader throws(StorageError) in
                    try loader.add([row])
                } verify: { _ throws(StorageError) in
                    throw StorageError(.failed, "Not so.")
                }
            }
            try expectEqual(error.message, "Not so.", "the text of the error")
            try expectEqual(try store.inspect(), nil, "what is there")
            try expectEqual(try $0.opened(store, layout).count(RowRequest(entity: tag.index)), 0, "the tags")
        },
        ConformanceCase("loading/verify", "All that was handed over is read back before others can see it.") {
            let context = $0
            try $0.elsewhere { session in
                let town = try Town(in: session)
                guard let store = try context.loadable() else { return }
                let rows = try session.rows(town.creature.request())
                let links = try session.links(town.creature.linkTable("tags"), limit: 9)
                var seen: (keys: [Int64], isThere: Bool)?
                try store.load(session.layout, as: UUID()) { loader throws(StorageError) in
                    try loader.add(rows)
                    try loader.add(links)
                } verify: { reader throws(StorageError) in
                    let found = try reader.rows(RowRequest(entity: town.creature.entity.root))
                    seen = (found.map(\.key), try store.inspect() != nil)
                }
                try expectEqual(seen?.keys, rows.map(\.key), "the keys that are read back")
                try expectEqual(seen?.isThere, false, "whether the store is there before")
            }
        },
        ConformanceCase(
            "loading/summary", "A copy has the summary of its store, and another one once anything is changed."
        ) {
            let context = $0
            try $0.elsewhere { session in
                let town = try Town(in: session)
                guard let copy = try context.copied(session) else { return }
                let summary = try session.summary()
                try expectEqual(try copy.summary(), summary, "the summary")
                try expectEqual(summary.rowCount, 16, "how many rows there are")
                try expectEqual(summary.linkCount, 9, "how many links there are")
                let dune = try copy.row("Book", town.key("Dune"))
                try copy.commit { try $0.updates.append(town.book.update(dune, ["price": .decimal(cents: 998)])) }
                let repriced = try copy.summary()
                try expect(repriced.checksum != summary.checksum, "another checksum, once a book has another price")
                try copy.commit { try $0.links.append(town.favorite("Ann", "Dune", bookPlace: 9, readerPlace: 1)) }
                try expect(
                    try copy.summary().relationships != repriced.relationships,
                    "another checksum, once a book is in another place")
            }
        },
    ]
}
