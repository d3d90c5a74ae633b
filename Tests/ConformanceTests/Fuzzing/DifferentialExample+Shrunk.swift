import CofferStorage
import Foundation

@testable import CofferConformance

extension DifferentialExample {
    /// Returns the smallest example found that also fails.
    ///
    /// - Parameter seconds: the time limit of the search.
    func shrunk(seconds: Double, fails: (DifferentialExample) -> Bool) -> DifferentialExample {
        let end = Date(timeIntervalSinceNow: seconds)
        var best = self
        var isSmaller = true
        while isSmaller {
            isSmaller = false
            for step in [Self.withFewerItems, Self.withSimplerRequests, Self.withSmallerModels, Self.withSimplerValues]
            {
                // The loop tries the candidates of the best example so far, until none of them fails.
                while let next = step(best).first(where: { Date() < end && fails($0) }) {
                    best = next
                    isSmaller = true
                }
            }
        }
        return best
    }

    private func changed(_ change: (inout DifferentialExample) -> Void) -> DifferentialExample {
        var copy = self
        change(&copy)
        return copy
    }

    // MARK: Content

    private static func withFewerItems(_ example: DifferentialExample) -> [DifferentialExample] {
        var found: [DifferentialExample] = []
        var size = example.items.count / 2
        while size > 0 {
            for start in stride(from: 0, to: example.items.count, by: size) {
                found.append(example.without(Array(example.items[start..<min(start + size, example.items.count)])))
            }
            size /= 2
        }
        if example.links.count > 1 { found.append(example.changed { $0.links = [] }) }
        return found + example.links.indices.map { index in example.changed { $0.links.remove(at: index) } }
    }

    /// Returns the example without some objects and without the references and links to them.
    private func without(_ gone: [Item]) -> DifferentialExample {
        guard let layout = try? ModelLayout(StoreModel(version: "random", entities: entities)) else { return self }
        var lost: [Int: Set<Int64>] = [:]
        for item in gone { layout.entity(named: item.entity).map { _ = lost[$0.root, default: []].insert(item.key) } }
        func isLost(_ key: Int64, _ entity: Int) -> Bool {
            lost[layout.entities[entity].root]?.contains(key) ?? false
        }
        return changed { example in
            example.items.removeAll { item in
                layout.entity(named: item.entity).map { isLost(item.key, $0.index) } ?? false
            }
            for index in example.items.indices {
                guard let entity = layout.entity(named: example.items[index].entity) else { continue }
                for relationship in entity.relationships.map({ layout.relationships[$0] }) {
                    guard case .reference = relationship.storage,
                        case .integer(let key)? = example.items[index].values[relationship.name],
                        isLost(key, relationship.destination)
                    else { continue }
                    example.items[index].values[relationship.name] = .null
                    example.items[index].values["\(relationship.name) position"] = nil
                }
            }
            example.links.removeAll { link in
                let table = layout.linkTables[link.table]
                return isLost(link.first, layout.relationships[table.first].owner)
                    || isLost(link.second, layout.relationships[table.second].owner)
            }
        }
    }

    private static func withSimplerValues(_ example: DifferentialExample) -> [DifferentialExample] {
        example.items.indices.flatMap { index in
            example.items[index].values.sorted { $0.key < $1.key }.map { name, _ in
                // A missing value becomes null, or zero if null is not possible.
                example.changed { $0.items[index].values[name] = nil }
            }
        }
    }

    // MARK: Requests

    private static func withSimplerRequests(_ example: DifferentialExample) -> [DifferentialExample] {
        guard let layout = try? ModelLayout(StoreModel(version: "random", entities: example.entities)) else {
            return []
        }
        let requests: [Request] =
            switch example.request {
            case .rows(let request): request.simpler(layout).map { .rows($0) }
            case .values(let request): request.simpler(layout).map { .values($0) }
            }
        return requests.map { request in example.changed { $0.request = request } }
    }

    // MARK: Models

    private static func withSmallerModels(_ example: DifferentialExample) -> [DifferentialExample] {
        let used = Set(example.items.map(\.entity) + example.entities.compactMap(\.parent))
        var found = example.entities.filter { !used.contains($0.name) }.map { gone in
            example.changed { example in
                example.entities.removeAll { $0.name == gone.name }
                for index in example.entities.indices {
                    example.entities[index].relationships.removeAll { $0.destination == gone.name }
                }
            }
        }
        for (index, entity) in example.entities.enumerated() {
            if !entity.indexes.isEmpty { found.append(example.changed { $0.entities[index].indexes = [] }) }
            for relationship in entity.relationships {
                found.append(
                    example.changed { example in
                        example.entities[index].relationships.removeAll { $0.name == relationship.name }
                        for other in example.entities.indices {
                            example.entities[other].relationships.removeAll {
                                $0.name == relationship.inverse && $0.inverse == relationship.name
                            }
                        }
                    })
            }
            for attribute in entity.attributes {
                found.append(
                    example.changed {
                        $0.entities[index].attributes.removeAll { $0.name == attribute.name }
                        $0.entities[index].indexes.removeAll { $0.contains(attribute.name) }
                        $0.entities[index].uniqueConstraints.removeAll { $0.contains(attribute.name) }
                    })
            }
        }
        return found.compactMap { $0.renumbered(from: example.entities) }
    }

    /// Returns the example with request and links in the numbers of a smaller model.
    ///
    /// The result is nil if the request needs a removed entity or property.
    private func renumbered(from old: [EntityDescription]) -> DifferentialExample? {
        guard let old = try? ModelLayout(StoreModel(version: "random", entities: old)),
            let new = try? ModelLayout(StoreModel(version: "random", entities: entities)),
            let request = RequestRewriter(old: old, new: new).request(request)
        else { return nil }
        return changed { example in
            example.request = request
            example.links = example.links.compactMap { link in
                guard let table = RequestRewriter(old: old, new: new).table(link.table) else { return nil }
                return .init(
                    table: table, first: link.first, second: link.second, firstPosition: link.firstPosition,
                    secondPosition: link.secondPosition)
            }
            for index in example.items.indices {
                let columns = Set(new.entity(named: example.items[index].entity)?.columns.map(\.name) ?? [])
                example.items[index].values = example.items[index].values.filter { columns.contains($0.key) }
            }
        }
    }
}
