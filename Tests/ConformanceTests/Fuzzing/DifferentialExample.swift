import CofferEvaluation
import CofferStorage

@testable import CofferConformance

/// A model, the content of a store, and a request for which two stores may return different results.
///
/// The fuzzer shrinks a disagreement to a small example, and prints it as code that recreates the example.
struct DifferentialExample {
    /// An object, with values for some of its columns.
    struct Item {
        var entity: EntityName
        var key: Int64
        var values: [String: Value]

        init(_ entity: EntityName, _ key: Int64, _ values: [String: Value] = [:]) {
            self.entity = entity
            self.key = key
            self.values = values
        }
    }

    typealias Request = DifferentialComparison.Request

    var entities: [EntityDescription]
    var items: [Item]
    /// The links of many-to-many relationships, with the table numbers of the layout.
    var links: [ChangeSet.Link]
    var request: Request

    init(entities: [EntityDescription], items: [Item], links: [ChangeSet.Link] = [], request: Request) {
        self.entities = entities
        self.items = items
        self.links = links
        self.request = request
    }

    /// Creates an example from the content of an oracle and a request for the oracle.
    init(_ oracle: Oracle, _ request: Request) {
        let layout = oracle.layout
        entities = layout.model.entities
        items = Set(layout.entities.map(\.root)).sorted().flatMap { root in
            oracle.rows(root: root).map { row in
                let entity = layout.entities[row.entity]
                let values = zip(entity.columns.map(\.name), row.values(entity.kinds))
                return Item(entity.name, row.key, Dictionary(uniqueKeysWithValues: values))
            }
        }
        links = oracle.links.keys.sorted().flatMap { table in
            (oracle.links[table] ?? [:]).values.sorted { ($0.first, $0.second) < ($1.first, $1.second) }
        }
        self.request = request
    }

    /// Returns the wrong result of a store.
    ///
    /// The result is nil if the store agrees with the reference evaluator, or if the example is not valid.
    func mismatch(on fixture: any StorageFixture.Type) -> String? {
        guard let layout = try? ModelLayout(StoreModel(version: "random", entities: entities)), fits(layout),
            let place = try? fixture.init()
        else { return nil }
        let context = TestContext(place)
        defer {
            context.closeAll()
            place.destroy()
        }
        do {
            let session = try context.open(layout.model)
            for root in Set(layout.entities.map(\.root)) {
                _ = try session.store.reserveKeys(Int(items.map(\.key).max() ?? 0) + 1, root: root)
            }
            let changes = try changes(in: session)
            var oracle = Oracle(layout: session.layout)
            _ = oracle.apply(changes)
            _ = try session.store.commit(changes)
            try DifferentialComparison(session: session, oracle: oracle).check(request)
            return nil
        } catch let mismatch as Mismatch {
            return mismatch.message
        } catch {
            return "  threw: \(error)"
        }
    }

    /// Returns the smallest example found with a wrong result, as a message with code; nil if the store agrees.
    ///
    /// - Parameter seconds: the time limit of the search for a smaller example.
    func explanation(on fixture: any StorageFixture.Type, seconds: Double) -> String? {
        guard mismatch(on: fixture) != nil else { return nil }
        let small = shrunk(seconds: seconds) { $0.mismatch(on: fixture) != nil }
        return "\(small.mismatch(on: fixture) ?? "")\n  the same as code:\n\(small.source)"
    }

    private func fits(_ layout: ModelLayout) -> Bool {
        switch request {
        case .rows(let request): (try? layout.check(request)) != nil
        case .values(let request): (try? layout.check(request)) != nil
        }
    }

    private func changes(in session: Session) throws -> ChangeSet {
        var changes = ChangeSet()
        for item in items {
            changes.inserts.append(.init(row: try session.entity(item.entity).row(item.key, item.values)))
        }
        for link in links {
            changes.links.append(link)
            let table = session.layout.linkTables[link.table]
            if table.first == table.second, link.first != link.second {
                changes.links.append(
                    .init(
                        table: link.table, first: link.second, second: link.first,
                        firstPosition: link.secondPosition, secondPosition: link.firstPosition))
            }
        }
        return changes
    }
}
