import CofferEvaluation
import CofferInMemory
import CofferStorage
import TestSupport
import Testing

/// Random commits and requests, compared with the reference evaluator on dictionaries.
struct InMemoryPropertyTests {
    @Test(arguments: 1...12)
    func `the store returns the same results as the reference evaluator`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let layout = try RowModel.layout()
        let store = InMemoryStore()
        _ = try store.open(layout)
        var naive = NaiveSource(layout)
        for _ in 0..<12 {
            let changes = try change(&naive, store, &random)
            _ = try store.commit(changes)
            try compare(store, naive, seed, &random)
        }
    }

    private func change(
        _ naive: inout NaiveSource, _ store: InMemoryStore, _ random: inout SeededGenerator
    ) throws -> ChangeSet {
        let layout = naive.layout
        var changes = ChangeSet()
        for root in [RowModel.person, RowModel.pet, RowModel.tag] {
            for key in (naive.rows[root] ?? [:]).keys.sorted() where random.chance(8) {
                changes.deletes.append(.init(entity: root, key: key))
                naive.rows[root]?[key] = nil
                for table in layout.linkTables {
                    let first = layout.entities[layout.relationships[table.first].owner].root
                    let second = layout.entities[layout.relationships[table.second].owner].root
                    naive.links[table.index] = naive.links[table.index]?.filter {
                        !(first == root && $0.key[0] == key) && !(second == root && $0.key[1] == key)
                    }
                }
            }
            for key in (naive.rows[root] ?? [:]).keys.sorted() where random.chance(20) {
                guard let old = naive.rows[root]?[key] else { continue }
                let entity = layout.entities[old.entity]
                let fresh = RowBuilder(copying: try RowModel.randomRow(old.entity, key, layout, &random))
                fresh.write(version: old.version)
                let row = fresh.build()
                changes.updates.append(.init(row: row, columns: ColumnSet(below: entity.columns.count)))
                let stored = RowBuilder(copying: row)
                stored.write(version: old.version + 1)
                naive.rows[root]?[key] = stored.build()
            }
            let keys = try store.reserveKeys(Int.random(in: 0...25, using: &random), root: root)
            for key in keys {
                let entity = root == RowModel.person && random.chance(30) ? RowModel.employee : root
                let row = try RowModel.randomRow(entity, key, layout, &random)
                changes.inserts.append(.init(row: row))
                naive.rows[root, default: [:]][key] = row
            }
        }
        for (pair, _) in (naive.links[0] ?? [:]).sorted(by: { $0.key.lexicographicallyPrecedes($1.key) })
        where random.chance(20) {
            changes.unlinks.append(.init(table: 0, first: pair[0], second: pair[1]))
            naive.links[0]?[pair] = nil
        }
        let table = layout.linkTables[0]
        let roots = [table.first, table.second].map { layout.entities[layout.relationships[$0].owner].root }
        for _ in 0..<20 {
            guard
                let first = naive.rows[roots[0]]?.keys.sorted().randomElement(using: &random),
                let second = naive.rows[roots[1]]?.keys.sorted().randomElement(using: &random)
            else { continue }
            let positions = (
                random.chance(10) ? nil : Int64.random(in: 0...9, using: &random),
                random.chance(10) ? nil : Int64.random(in: 0...9, using: &random)
            )
            changes.links.append(
                .init(
                    table: 0, first: first, second: second, firstPosition: positions.0, secondPosition: positions.1
                )
            )
            let known = naive.links[0]?[[first, second]]
            naive.links[0, default: [:]][[first, second]] = (positions.0 ?? known?.0, positions.1 ?? known?.1)
        }
        return changes
    }

    private func compare(
        _ store: InMemoryStore, _ naive: NaiveSource, _ seed: Int, _ random: inout SeededGenerator
    ) throws {
        let evaluator = ReferenceEvaluator(layout: naive.layout)
        let reader = try store.makeReader()
        for _ in 0..<60 {
            let request = RowModel.request(naive.layout, &random)
            let expected = evaluator.rows(request, in: naive)
            let found = try reader.rows(request)
            #expect(found.map(\.key) == expected.map(\.key), "seed \(seed): \(request)")
            #expect(found.map(\.version) == expected.map(\.version), "seed \(seed): \(request)")
            #expect(try reader.count(request) == expected.count, "seed \(seed): \(request)")
        }
        for relationship in naive.layout.relationships where relationship.isToMany {
            let owners = (naive.rows[naive.layout.entities[relationship.owner].root] ?? [:]).keys.sorted()
            for related in try reader.related(relationship.index, of: owners) {
                let expected = naive.related(relationship.index, of: related.owner)
                #expect(related.rows.map(\.key) == expected.map(\.key), "seed \(seed): \(relationship.name)")
            }
        }
        for _ in 0..<20 {
            let entity = Int.random(in: 0...3, using: &random)
            let groups = (0..<Int.random(in: 0...2, using: &random)).map { _ in
                RowModel.expression(entity, naive.layout, &random)
            }
            let aggregates = ValueRequest.Aggregate.allCases.map {
                ValueRequest.Term.aggregate($0, .column(slot: 0, kind: naive.layout.entities[entity].kinds[0]))
            }.filter {
                if case .aggregate(.sum, _) = $0 {
                    false
                } else if case .aggregate(.average, _) = $0 {
                    false
                } else {
                    true
                }
            }
            let request = ValueRequest(
                rows: RowRequest(entity: entity, predicate: RowModel.predicate(entity, naive.layout, &random)),
                terms: groups.map { .expression($0) } + aggregates, groups: groups
            )
            #expect(try reader.values(request) == evaluator.values(request, in: naive), "seed \(seed): \(request)")
        }
    }
}
