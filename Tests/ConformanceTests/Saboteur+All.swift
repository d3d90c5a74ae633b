import CofferStorage
import CofferStorageTools
import Foundation

extension Saboteur {
    static let all: [Saboteur] = requests + commits + merging + conditions + values + stores + migrations + loads

    private static let conditions: [Saboteur] = [
        .conditioning("ignores changed rows", caughtBy: "conditions/unchanged") {
            if case .unchanged = $0 { nil } else { $0 }
        },
        .conditioning("lets every row be gone", caughtBy: "conditions/deleted") {
            if case .unchanged(let row, _) = $0 { .unchanged(row, mayBeGone: true) } else { $0 }
        },
        .conditioning("compares the keys of rows only", caughtBy: "conditions/rows") {
            if case .rows(let request, let answer) = $0 { .keys(request, answer.map(\.key)) } else { $0 }
        },
        .conditioning("looks only for rows that were there", caughtBy: "conditions/rows-by-key") {
            guard case .rowsByKey(let root, _, let answer) = $0 else { return $0 }
            return .rowsByKey(root: root, keys: answer.map(\.key), answer)
        },
        .conditioning("compares how many keys there are", caughtBy: "conditions/keys-and-counts") {
            if case .count = $0 { nil } else { $0 }
        },
        .conditioning("ignores computed values", caughtBy: "conditions/values") {
            if case .values = $0 { nil } else { $0 }
        },
        .conditioning("looks only at owners that led somewhere", caughtBy: "conditions/related") {
            guard case .related(let relationship, _, let answer) = $0 else { return $0 }
            return .related(relationship: relationship, owners: Array(answer.keys), answer)
        },
        .conditioning("takes members in any order", caughtBy: "conditions/members") {
            if case .members = $0 { nil } else { $0 }
        },
        Saboteur(
            "changes rows before it looks at conditions", caughtBy: "conditions/atomic",
            commit: { _, store, changes throws(StorageError) in
                var first = ChangeSet()
                first.inserts = changes.inserts
                _ = try store.commit(first)
                var changes = changes
                changes.inserts = []
                return try store.commit(changes)
            }),
        Saboteur(
            "lets others come between a condition and its changes", caughtBy: "conditions/in-parallel",
            commit: { me, store, changes throws(StorageError) in
                guard let layout = me.layout.withLock({ $0 }) else { return try store.commit(changes) }
                try store.read { reader throws(StorageError) in try changes.checkConditions(reader, layout) }
                // The delay is long enough for the writers to overlap, also on a busy machine.
                usleep(20_000)
                var changes = changes
                changes.conditions = []
                return try store.commit(changes)
            }),
    ]

    private static let requests: [Saboteur] = [
        Saboteur(
            "ignores the sort order", caughtBy: "fetching/order-by-several",
            request: {
                var request = $0
                request.order = []
                return request
            }),
        Saboteur(
            "ignores the limit", caughtBy: "fetching/limit",
            request: {
                var request = $0
                request.limit = nil
                return request
            }),
        Saboteur(
            "ignores the limit when counting", caughtBy: "fetching/count",
            counted: {
                var request = $0
                request.limit = nil
                return request
            }),
        Saboteur(
            "sorts null last", caughtBy: "fetching/null-sorts-first",
            rows: { rows, request in
                guard case .column(let slot, _)? = request.order.first?.expression, request.order[0].ascending else {
                    return rows
                }
                return rows.filter { !$0.isNull(slot) } + rows.filter { $0.isNull(slot) }
            }),
        Saboteur(
            "breaks ties in reverse when descending", caughtBy: "fetching/ties-by-key",
            request: {
                var request = $0
                if request.order.last?.ascending == false { request.order.append(RowSort(.key, ascending: false)) }
                return request
            }),
        Saboteur(
            "forgets sub-entities", caughtBy: "fetching/subentities",
            request: {
                var request = $0
                request.includesSubentities = false
                return request
            }),
        .misreading("compares text without case", caughtBy: "predicates/text-is-bytes") {
            guard case .compare(let left, .equal, .value(.text(let text))) = $0 else { return nil }
            return .isIn(left, [.text(text), .text(text.lowercased()), .text(text.uppercased())])
        },
        .misreading("reads NOT with three values", caughtBy: "predicates/not-is-two-valued") {
            guard case .not(.compare(let left, let relation, let right)) = $0 else { return nil }
            return .and([.compare(left, .notEqual, .value(.null)), .not(.compare(left, relation, right))])
        },
        .misreading("never finds null equal to null", caughtBy: "predicates/null-equality") {
            guard case .compare(_, .equal, .value(.null)) = $0 else { return nil }
            return .constant(false)
        },
        .misreading("reads 'less' through a relationship as 'less or equal'", caughtBy: "fetching/random") {
            guard case .compare(.through(let step, let inner), .less, let right) = $0 else { return nil }
            return .compare(.through(relationship: step, inner), .lessOrEqual, right)
        },
        .misreading("tries the parts of 'some' on different objects", caughtBy: "relationships/some-is-one-object") {
            guard case .some(let path, let relationship, .and(let parts)) = $0 else { return nil }
            return .and(parts.map { .some(from: path, relationship: relationship, $0) })
        },
        Saboteur(
            "limits the rows instead of the groups", caughtBy: "querying/limit-is-for-results",
            values: { reader, request throws(StorageError) in
                guard request.isGrouped, request.rows.limit != nil else { return try reader.values(request) }
                var other = request
                other.rows.predicate = .isIn(.key, try reader.keys(request.rows).map(Value.integer))
                other.rows.limit = nil
                other.rows.offset = 0
                return try reader.values(other)
            }),
        Saboteur(
            "ignores 'distinct'", caughtBy: "querying/distinct",
            values: { reader, request throws(StorageError) in
                var request = request
                request.isDistinct = false
                return try reader.values(request)
            }),
        Saboteur(
            "reads 'or' of a having as 'and'", caughtBy: "querying/random",
            values: { reader, request throws(StorageError) in
                var request = request
                if case .or(let parts) = request.having { request.having = .and(parts) }
                return try reader.values(request)
            }),
        Saboteur("skips the first of rows handed over", caughtBy: "fetching/row-by-row", skipsRows: true),
        Saboteur("skips the first of related rows", caughtBy: "relationships/row-by-row", skipsRows: true),
        Saboteur(
            "orders related rows by key", caughtBy: "relationships/ordered-many-to-many",
            related: { found in
                found.map { RelatedRows(owner: $0.owner, rows: $0.rows.sorted { $0.key < $1.key }) }
            }),
        Saboteur(
            "gives members without their places", caughtBy: "relationships/members",
            members: { found in
                found.map { one in
                    RelatedMembers(owner: one.owner, members: one.members.map { .init(key: $0.key, place: nil) })
                }
            }),
        Saboteur(
            "takes the number of members for the last place", caughtBy: "relationships/last-places",
            lastPlaces: { $0.mapValues { $0 + 1 } }),
        Saboteur(
            "loses the last owner of many", caughtBy: "relationships/many-owners",
            related: { found in
                found.count > 1_000 ? Array(found.dropLast(40_001)) : found
            }),
    ]

    private static let commits: [Saboteur] = [
        Saboteur(
            "does not roll back", caughtBy: "commits/atomic",
            commit: { _, store, changes throws(StorageError) in
                do throws(StorageError) {
                    return try store.commit(changes)
                } catch {
                    var half = ChangeSet()
                    half.inserts = changes.inserts
                    _ = try store.commit(half)
                    throw error
                }
            }),
        Saboteur(
            "swallows unique violations", caughtBy: "merging/update-violates",
            commit: { _, store, changes throws(StorageError) in
                do throws(StorageError) { return try store.commit(changes) } catch {
                    guard error.code == .uniqueViolation else { throw error }
                    return CommitResult()
                }
            }),
        Saboteur(
            "swallows conflicts", caughtBy: "commits/conflict",
            commit: { _, store, changes throws(StorageError) in
                do throws(StorageError) { return try store.commit(changes) } catch {
                    guard error.code == .conflict else { throw error }
                    return CommitResult()
                }
            }),
        Saboteur(
            "writes every column", caughtBy: "commits/other-columns",
            commit: { _, store, changes throws(StorageError) in
                var changes = changes
                for index in changes.updates.indices {
                    changes.updates[index].columns = ColumnSet(below: changes.updates[index].row.slotCount)
                }
                return try store.commit(changes)
            }),
        Saboteur(
            "merges whatever the policies say", caughtBy: "policies/throw",
            commit: { _, store, changes throws(StorageError) in
                var changes = changes
                changes.uniqueConstraintPolicies = [:]
                return try store.commit(changes)
            }),
        Saboteur(
            "does not say that a row was kept", caughtBy: "policies/keep",
            commit: { _, store, changes throws(StorageError) in
                var result = try store.commit(changes)
                for index in result.merges.indices { result.merges[index].isKept = false }
                return result
            }),
        Saboteur(
            "looks at the first policy only", caughtBy: "policies/per-constraint",
            commit: { _, store, changes throws(StorageError) in
                var changes = changes
                changes.uniqueConstraintPolicies = changes.uniqueConstraintPolicies.mapValues { policies in
                    policies.map { _ in policies.first ?? .merge }
                }
                return try store.commit(changes)
            }),
        Saboteur(
            "does not tell of merges", caughtBy: "merging/insert-meets-row",
            commit: { _, store, changes throws(StorageError) in
                var result = try store.commit(changes)
                result.merges = []
                return result
            }),
        Saboteur(
            "does not tell the merged row", caughtBy: "commits/random",
            commit: { _, store, changes throws(StorageError) in
                var result = try store.commit(changes)
                result.refreshed = []
                return result
            }),
        Saboteur(
            "ignores moved links", caughtBy: "relationships/move",
            commit: { _, store, changes throws(StorageError) in
                var changes = changes
                changes.moves = []
                return try store.commit(changes)
            }),
        Saboteur(
            "ignores moved links beside one new row", caughtBy: "relationships/with-one-insert",
            commit: { _, store, changes throws(StorageError) in
                var changes = changes
                if changes.inserts.count == 1 { changes.moves = [] }
                return try store.commit(changes)
            }),
        Saboteur(
            "adds links that are moved", caughtBy: "relationships/move-keeps-removed",
            commit: { _, store, changes throws(StorageError) in
                var changes = changes
                changes.links += changes.moves
                changes.moves = []
                return try store.commit(changes)
            }),
        Saboteur(
            "removes links after adding links", caughtBy: "relationships/unlink-before-link",
            commit: { _, store, changes throws(StorageError) in
                var later = ChangeSet()
                var changes = changes
                later.unlinks = changes.unlinks
                changes.unlinks = []
                let result = try store.commit(changes)
                if !later.isEmpty { _ = try store.commit(later) }
                return result
            }),
        Saboteur(
            "drops everybody's links when a row is deleted", caughtBy: "relationships/delete-removes-links",
            commit: { me, store, changes throws(StorageError) in
                guard !changes.deletes.isEmpty, let layout = me.layout.withLock({ $0 }) else {
                    return try store.commit(changes)
                }
                var changes = changes
                let reader = try store.makeReader()
                for table in layout.linkTables {
                    let owners = try reader.keys(RowRequest(entity: layout.relationships[table.first].owner))
                    for found in try reader.related(table.first, of: owners) {
                        changes.unlinks += found.rows.map {
                            .init(table: table.index, first: found.owner, second: $0.key)
                        }
                    }
                }
                return try store.commit(changes)
            }),
        Saboteur(
            "gives keys again", caughtBy: "commits/keys-are-reserved-once",
            keys: { max(1, $0.lowerBound - 1)..<max(1, $0.lowerBound - 1) + Int64($0.count) }),
        Saboteur(
            "counts versions from 2", caughtBy: "commits/insert",
            rows: { rows, _ in
                rows.map { row in
                    let other = RowBuilder(copying: row)
                    other.write(version: row.version + 1)
                    return other.build()
                }
            }),
        Saboteur(
            "shows its errors' values", caughtBy: "errors/no-values",
            commit: { me, store, changes throws(StorageError) in
                do throws(StorageError) { return try store.commit(changes) } catch {
                    guard let layout = me.layout.withLock({ $0 }), let row = changes.updates.first?.row else {
                        throw error
                    }
                    let kinds = layout.entities[row.entity].kinds
                    throw StorageError(
                        error.code, error.message, cause: "\(kinds.indices.map { row.value($0, kinds[$0]) })")
                }
            }),
    ]

    private static let values: [Saboteur] = [
        Saboteur(
            "keeps what is not a number as nothing", caughtBy: "values/not-a-number",
            commit: { _, store, changes throws(StorageError) in
                do throws(StorageError) { return try store.commit(changes) } catch  where error.code == .invalidValue {
                    return CommitResult()
                } catch {
                    throw error
                }
            }),
        .corrupting("rounds dates to microseconds", caughtBy: "values/date") {
            if case .date(let seconds) = $0, abs(seconds) < 1e9 {
                .date((seconds * 1_000_000).rounded() / 1_000_000)
            } else {
                $0
            }
        },
        .corrupting("compares dates by microseconds", caughtBy: "values/exact-dates") {
            if case .date(let seconds) = $0, abs(seconds) < 1e9 {
                .date((seconds * 1_000_000).rounded() / 1_000_000)
            } else {
                $0
            }
        },
        .corrupting("keeps a date that is NaN as another one", caughtBy: "values/not-a-date") {
            if case .date(let seconds) = $0, seconds.isNaN { .date(0) } else { $0 }
        },
        .corrupting("keeps doubles as floats", caughtBy: "values/double") {
            if case .double(let number) = $0 { .double(Double(Float(number))) } else { $0 }
        },
        .corrupting("keeps integers as doubles", caughtBy: "values/integer") {
            if case .integer(let number) = $0 { .integer(Int64(exactly: Double(number)) ?? .max) } else { $0 }
        },
        .corrupting("keeps decimals as doubles", caughtBy: "values/decimal") {
            if case .decimal(let number) = $0 {
                .decimal(Decimal(NSDecimalNumber(decimal: number).doubleValue))
            } else {
                $0
            }
        },
        .corrupting("composes text", caughtBy: "values/text") {
            if case .text(let text) = $0 { .text(text.precomposedStringWithCanonicalMapping) } else { $0 }
        },
        .corrupting("ends text at a NUL", caughtBy: "values/text") {
            if case .text(let text) = $0 { .text(String(text.prefix { $0 != "\0" })) } else { $0 }
        },
        .corrupting("keeps empty blobs as one zero", caughtBy: "values/blob") {
            if case .blob(let data) = $0, data.isEmpty { .blob(Data([0])) } else { $0 }
        },
    ]

    private static let stores: [Saboteur] = [
        Saboteur("tears snapshots", caughtBy: "isolation/snapshot", isTorn: true),
        Saboteur("tears snapshots between reads", caughtBy: "isolation/no-torn-reads", isTorn: true),
        Saboteur("stays open", caughtBy: "errors/closed", close: { _ in }),
        Saboteur(
            "erases data of another model", caughtBy: "errors/schema-mismatch",
            open: { store, layout throws(StorageError) in
                do throws(StorageError) { return try store.open(layout) } catch {
                    try store.erase()
                    return try store.open(layout)
                }
            }),
        Saboteur(
            "makes up a new id each time", caughtBy: "durability/metadata",
            open: { store, layout throws(StorageError) in
                StoreMetadata(store: UUID(), model: try store.open(layout).model)
            }),
        Saboteur("forgets everything when closed", caughtBy: "durability/rows", close: { try? $0.erase() }),
    ]

    private static let migrations: [Saboteur] = [
        Saboteur(
            "migrates step by step", caughtBy: "migration/all-steps-or-none",
            migrate: { store, steps throws(StorageError) in
                var metadata = StoreMetadata(store: UUID(), model: steps[0].source)
                for step in steps { metadata = try store.migrate(along: [step]) }
                return metadata
            }),
        Saboteur(
            "begins anew instead of migrating", caughtBy: "migration/metadata",
            migrate: { store, steps throws(StorageError) in
                try store.erase()
                defer { store.close() }
                return try store.open(ModelLayout(steps[steps.count - 1].target))
            }),
        .migrating("forgets former names", caughtBy: "migration/renaming") {
            $0.properties = $0.properties.filter { $0.key == $0.value }
        },
        .migrating("forgets relationships", caughtBy: "migration/links") { entity in
            for name in ["keeper", "animals", "things", "teacher"] { entity.properties[name] = nil }
        },
        .migrating("leaves transformations out", caughtBy: "migration/transform") { $0.transformation = nil },
    ]

    // A caller that verifies its copy detects changed rows and links. Saboteurs with `skipsVerifying` therefore read
    // nothing back.
    private static let loads: [Saboteur] = [
        Saboteur(
            "loads every row as new", caughtBy: "loading/random",
            loadedRows: {
                $0.map { row in
                    let copy = RowBuilder(copying: row)
                    copy.write(version: 1)
                    return copy.build()
                }
            }),
        Saboteur(
            "loads the links of one side only", caughtBy: "loading/random",
            loadedLinks: {
                $0.map { .init(table: $0.table, first: $0.first, second: $0.second, firstPosition: $0.firstPosition) }
            }),
        Saboteur("loads no links", caughtBy: "loading/links", loadedLinks: { _ in [] }, skipsVerifying: true),
        Saboteur(
            "loads only rows that were never changed", caughtBy: "loading/rows",
            loadedRows: { $0.filter { $0.version == 1 } }, skipsVerifying: true),
        Saboteur("counts keys anew", caughtBy: "loading/keys", forgetsKeys: true),
        Saboteur("reads nothing back", caughtBy: "loading/refused", skipsVerifying: true),
    ]
}
