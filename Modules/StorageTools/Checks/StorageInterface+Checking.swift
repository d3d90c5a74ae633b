public import CofferStorage
import Foundation

/// Checks a store for broken references, invalid values, duplicates and wrong counts; lists five keys of each problem.
extension StorageInterface {
    /// Finds the problems in an open store.
    ///
    /// The problems are damage, references and links to missing rows, values that are missing, not unique or not of
    /// their type, keys and versions that no store creates, and unreadable rows. The method reads the whole store in
    /// pages, in one snapshot.
    ///
    /// - Parameters:
    ///   - layout: the model with which the store was opened.
    ///   - report: called repeatedly with the number of rows and links that were read since the last call.
    /// - Returns: the problems; an empty list if there are none.
    public func problems(
        _ layout: ModelLayout, report: (Int) throws(StorageError) -> Void = { _ in }
    ) throws(StorageError) -> [StoreProblem] {
        let damage = try (self as? any CheckableStorage)?.damage() ?? []
        return try damage.map { StoreProblem(kind: .damage, place: "", words: $0) }
            + read { reader throws(StorageError) in
                var check = StoreCheck(layout, reader)
                for root in layout.entities where root.root == root.index {
                    try check.rows(root, report)
                    try check.constraints(root)
                    // This reservation follows the snapshot, so that the next key must be above the keys of all rows
                    // in the snapshot.
                    check.keys(root, next: try reserveKeys(0, root: root.index).lowerBound)
                }
                for table in layout.linkTables { try check.links(table, report) }
                try check.relatedCounts()
                return check.problems
            }
    }
}

/// Collects the problems in one snapshot.
private struct StoreCheck {
    private let layout: ModelLayout
    private let reader: any StorageReader
    private(set) var problems: [StoreProblem] = []
    private var highestKeys: [Int: Int64] = [:]
    /// The slots whose strings are UUIDs, by the index of the entity.
    private let uuidSlots: [Set<Int>]

    /// The maximum number of keys for one problem.
    private static let keyLimit = 5

    init(_ layout: ModelLayout, _ reader: any StorageReader) {
        self.layout = layout
        self.reader = reader
        uuidSlots = layout.entities.map { entity in
            Set(
                entity.columns.indices.filter { slot in
                    let column = entity.columns[slot]
                    return layout.model.entities[column.owner].attributes.contains {
                        $0.isUUID && $0.name == column.name
                    }
                })
        }
    }

    private mutating func note(
        _ kind: StoreProblem.Kind, _ name: String, count: Int = 1, key: Int64? = nil, words: String? = nil
    ) {
        let index = problems.firstIndex { $0.kind == kind && $0.place == name } ?? problems.endIndex
        if index == problems.endIndex { problems.append(StoreProblem(kind: kind, place: name, count: 0, words: words)) }
        problems[index].count += count
        if let key, problems[index].keys.count < Self.keyLimit { problems[index].keys.append(key) }
    }

    /// Runs the body; unreadable data are a problem, and not an error.
    private mutating func reading(
        _ name: String, _ body: (inout Self) throws(StorageError) -> Void
    ) throws(StorageError) {
        do throws(StorageError) {
            try body(&self)
        } catch  where [.corrupt, .invalidValue, .failed].contains(error.code) {
            note(.unreadable, name, words: error.message)
        } catch {
            throw error
        }
    }

    // MARK: Rows

    mutating func rows(_ root: EntityLayout, _ report: (Int) throws(StorageError) -> Void) throws(StorageError) {
        let (reader, layout) = (reader, layout)
        try reading(root.name) { check throws(StorageError) in
            try reader.forEachPage(root: root.index) { rows throws(StorageError) in
                for row in rows { check.values(row) }
                check.highestKeys[root.index] = rows.last?.key
                for relationship in layout.relationships {
                    try check.references(relationship, rows)
                }
                try report(rows.count)
            }
        }
    }

    private mutating func values(_ row: Row) {
        let entity = layout.entities[row.entity]
        if row.key <= 0 { note(.invalidKey, entity.name, key: row.key) }
        if row.version <= 0 || row.version == .max { note(.invalidVersion, entity.name, key: row.key) }
        for (slot, column) in entity.columns.enumerated() where !row.isNull(slot) && !fits(row, slot, column) {
            note(.unfitValue, "\(entity.name).\(column.name)", key: row.key)
        }
        entity.requiredSlots.forEachSlot { slot in
            if row.isNull(slot) {
                note(.missingValue, "\(entity.name).\(entity.columns[slot].name)", key: row.key)
            }
        }
    }

    /// Whether a value belongs to the type of its attribute.
    private func fits(_ row: Row, _ slot: Int, _ column: Column) -> Bool {
        switch column.role {
        case .attribute(.integer16AttributeType): Int16(exactly: row.integer(slot)) != nil
        case .attribute(.integer32AttributeType): Int32(exactly: row.integer(slot)) != nil
        case .attribute where column.kind == .text:
            row.withBytes(slot) { bytes in
                guard let text = String(validUTF8: bytes) else { return false }
                guard uuidSlots[row.entity].contains(slot) else { return true }
                return UUID(uuidString: text)?.uuidString.lowercased() == text
            }
        default: true
        }
    }

    private mutating func references(_ relationship: RelationshipLayout, _ rows: [Row]) throws(StorageError) {
        guard case .reference(let slot, _) = relationship.storage, let entity = rows.first?.entity,
            layout.entities[entity].root == layout.entities[relationship.owner].root
        else { return }
        let owners = rows.filter { layout.entity($0.entity, isKindOf: relationship.owner) && !$0.isNull(slot) }
        let there = try keys(of: relationship.destination, among: owners.map { $0.integer(slot) })
        for row in owners where !there.contains(row.integer(slot)) {
            note(.danglingReference, name(relationship), key: row.key)
        }
    }

    /// Returns the keys of the list that rows of an entity have.
    private func keys(of entity: Int, among keys: [Int64]) throws(StorageError) -> Set<Int64> {
        guard !keys.isEmpty else { return [] }
        let wanted = Set(keys).sorted().map { Value.integer($0) }
        return Set(try reader.keys(RowRequest(entity: entity, predicate: .isIn(.key, wanted))))
    }

    private func name(_ relationship: RelationshipLayout) -> String {
        "\(layout.entities[relationship.owner].name).\(relationship.name)"
    }

    mutating func keys(_ root: EntityLayout, next: Int64) {
        if let highest = highestKeys[root.index], next <= highest { note(.usedKey, root.name) }
    }

    mutating func constraints(_ root: EntityLayout) throws(StorageError) {
        let reader = reader
        for slots in root.uniqueConstraints {
            let columns = slots.map { RowExpression.column(slot: $0, kind: root.kinds[$0]) }
            let counted = ValueRequest.Term.aggregate(.count, .key)
            let request = ValueRequest(
                rows: RowRequest(
                    entity: root.index, predicate: .and(columns.map { .compare($0, .notEqual, .value(.null)) })),
                terms: [counted], groups: columns, having: .compare(counted, .greater, .integer(1)))
            let name = "\(root.name).\(slots.map { root.columns[$0].name }.joined(separator: "+"))"
            try reading(name) { check throws(StorageError) in
                let groups = try reader.values(request).count
                if groups > 0 { check.note(.duplicates, name, count: groups) }
            }
        }
    }

    mutating func relatedCounts() throws(StorageError) {
        let reader = reader
        for relationship in layout.relationships where relationship.isToMany {
            var bounds: [RowPredicate] = []
            let count = RowExpression.count(relationship: relationship.index)
            if relationship.minCount > 0 {
                bounds.append(.compare(count, .less, .value(.integer(Int64(relationship.minCount)))))
            }
            if relationship.maxCount > 0 {
                bounds.append(.compare(count, .greater, .value(.integer(Int64(relationship.maxCount)))))
            }
            guard !bounds.isEmpty else { continue }
            let name = name(relationship)
            try reading(name) { check throws(StorageError) in
                let request = RowRequest(entity: relationship.owner, predicate: .or(bounds))
                let rows = try reader.count(request)
                if rows > 0 { check.note(.relatedCount, name, count: rows) }
            }
        }
    }

    // MARK: Links

    mutating func links(
        _ table: LinkTableLayout, _ report: (Int) throws(StorageError) -> Void
    ) throws(StorageError) {
        let (reader, side) = (reader, layout.relationships[table.first])
        let inverse = layout.relationships[table.second]
        try reading(name(side)) { check throws(StorageError) in
            try reader.forEachLinkPage(table: table.index) { links throws(StorageError) in
                let first = try check.keys(of: inverse.destination, among: links.map(\.first))
                let second = try check.keys(of: side.destination, among: links.map(\.second))
                for link in links where !first.contains(link.first) || !second.contains(link.second) {
                    check.note(.danglingLink, check.name(side), key: link.first)
                }
                try report(links.count)
            }
        }
    }
}
