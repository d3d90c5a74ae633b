import Coffer
import CofferStorage
import TestSupport
import Testing

/// Fetches of all kinds among many pending changes, compared with a model that tries every object.
@MainActor
struct PendingFetchTests {
    /// A store with items, albums and tags, and its model.
    private func make(
        _ backend: TestBackend, _ random: inout SeededGenerator
    ) throws -> (test: TestStack, model: CatalogueModel) {
        let test = try TestStack(backend, Catalogue.schema)
        var model = CatalogueModel()
        try test.stack.perform(synchronous: { transaction throws in
            model.createOthers(transaction)
            for _ in 0..<12 { model.createAlbum(transaction, &random) }
            for _ in 0..<80 { model.create(transaction, &random) }
            for _ in 0..<80 { try model.change(transaction, &random) }
        })
        return (test, model)
    }

    private func compare(
        _ transaction: BaseDataTransaction, _ model: CatalogueModel, _ random: inout SeededGenerator, _ place: String
    ) throws {
        for _ in 0..<6 {
            let fetch = RandomCatalogueFetch(&random)
            if fetch.isSpecial {
                try compare(transaction, Catalogue.Special.self, fetch, model, place)
            } else {
                try compare(transaction, Catalogue.Item.self, fetch, model, place)
            }
        }
    }

    private func compare<O: Catalogue.Item>(
        _ transaction: BaseDataTransaction, _ type: O.Type, _ fetch: RandomCatalogueFetch, _ model: CatalogueModel,
        _ place: String
    ) throws {
        let expected = model.keys(fetch)
        let clauses = fetch.clauses(type)
        let found = try transaction.fetchAll(From<O>(), clauses)
        #expect(found.map { $0.cs_id().key } == expected, "\(place): \(fetch.text)")
        #expect(try transaction.fetchCount(From<O>(), clauses) == expected.count, "\(place): count \(fetch.text)")
        let ids = try transaction.fetchObjectIDs(From<O>(), clauses)
        #expect(ids.map(\.key) == expected, "\(place): ids \(fetch.text)")
        let first = try transaction.fetchOne(From<O>(), clauses)
        #expect(first?.cs_id().key == expected.first, "\(place): one \(fetch.text)")
    }

    @Test(.pins("FQ-06"), arguments: TestBackend.allCases, [1, 2, 3, 4] as [UInt64])
    func `a synchronous transaction finds pending objects by every kind of condition`(
        _ backend: TestBackend, _ seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        var (test, model) = try make(backend, &random)
        for round in 0..<3 {
            try test.stack.perform(synchronous: { transaction throws in
                for step in 0..<60 {
                    for _ in 0..<3 { try model.change(transaction, &random) }
                    try compare(transaction, model, &random, "seed \(seed), round \(round), step \(step)")
                }
            })
        }
    }

    @Test(.pins("FQ-06"), arguments: TestBackend.allCases, [5, 6, 7] as [UInt64])
    func `an unsafe transaction finds pending objects after undo, redo, commits and rollbacks`(
        _ backend: TestBackend, _ seed: UInt64
    ) throws {
        var random = SeededGenerator(seed: seed)
        let (test, saved) = try make(backend, &random)
        let transaction = test.stack.beginUnsafe(supportsUndo: true)
        var (past, future) = ([saved], [CatalogueModel]())
        for step in 0..<120 {
            var model = past[past.count - 1]
            switch random.below(20) {
            case 0 where past.count > 1:
                transaction.undo()
                future.append(past.removeLast())
            case 1 where !future.isEmpty:
                transaction.redo()
                past.append(future.removeLast())
            case 2:
                try transaction.commitAndWait()
                (past, future) = ([model], [])
            case 3 where random.chance(30):
                transaction.rollback()
                (past, future) = ([past[0]], [])
            case 4:
                let child = transaction.beginUnsafe()
                model.create(child, &random)
                for _ in 0..<20 { try model.change(child, &random) }
                try compare(child, model, &random, "seed \(seed), child of step \(step)")
                try child.commitAndWait()
                transaction.flush()
                (past, future) = (past + [model], [])
            default:
                // An empty group of changes adds no undo step.
                model.create(transaction, &random)
                for _ in 0..<4 { try model.change(transaction, &random) }
                transaction.flush()
                (past, future) = (past + [model], [])
            }
            try compare(transaction, past[past.count - 1], &random, "seed \(seed), step \(step)")
        }
    }

    @Test(.pins("FQ-06"), arguments: TestBackend.allCases, [8, 9] as [UInt64])
    func `a child transaction finds pending objects of its parent`(_ backend: TestBackend, _ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var (test, model) = try make(backend, &random)
        let parent = test.stack.beginUnsafe()
        for _ in 0..<100 { try model.change(parent, &random) }
        let child = parent.beginUnsafe()
        for step in 0..<60 {
            for _ in 0..<2 { try model.change(child, &random) }
            try compare(child, model, &random, "seed \(seed), step \(step)")
        }
    }

    @Test(.pins("FQ-06"))
    func `computed conditions find all matching owners when more than 10,000 objects are changed`() throws {
        let test = try TestStack(.memory, Catalogue.schema)
        let count = 10_050
        try test.stack.perform(synchronous: { transaction in
            let albums = ["a", "b", "c", "d"].map { name in
                let album = transaction.create(Into<Catalogue.Album>())
                album.name = name
                return album
            }
            for number in 0..<count {
                let item = transaction.create(Into<Catalogue.Item>())
                item.number = number
                if number < 30 { item.album = albums[number % 3] }
            }
        })
        let transaction = test.stack.beginUnsafe()
        for item in try transaction.fetchAll(From<Catalogue.Item>()) { item.grade = 1 }
        let last = try #require(try transaction.fetchOne(From<Catalogue.Album>().where(\.$name == "d")))
        for item in try transaction.fetchAll(From<Catalogue.Item>().where(\.$number < 30)) where item.number % 3 == 2 {
            item.album = last
        }
        for (format, expected) in [
            ("items.@count == 0", "c"), ("items.@count > 9", "a b d"), ("items.@sum.number == 145", "b"),
            ("items.@min.number > 1", "d"), ("items.@sum.grade == 10", "a b d"),
        ] {
            let found = try transaction.fetchAll(From<Catalogue.Album>(), Where<Catalogue.Album>(format))
            #expect(found.map(\.name).joined(separator: " ") == expected, "\(format)")
        }
    }
}
