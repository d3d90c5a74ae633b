import CofferEvaluation
import CofferStorage

/// Rows and links in plain dictionaries, with which the store is compared.
struct NaiveSource: RowSource {
    let layout: ModelLayout
    var rows: [Int: [Int64: Row]] = [:]
    var links: [Int: [[Int64]: (Int64?, Int64?)]] = [:]

    init(_ layout: ModelLayout) {
        self.layout = layout
    }

    func forEachRow(root: Int, _ body: (Row) -> Bool) {
        for key in (rows[root] ?? [:]).keys.sorted() {
            if let row = rows[root]?[key], !body(row) { return }
        }
    }

    func row(root: Int, key: Int64) -> Row? { rows[root]?[key] }

    func related(_ relationship: Int, of owner: Int64) -> [Row] {
        let end = layout.relationships[relationship]
        let root = layout.entities[end.destination].root
        var found: [(position: Int64?, row: Row)] = []
        switch end.storage {
        case .reference(let slot, _):
            return row(root: layout.entities[end.owner].root, key: owner).flatMap {
                $0.isNull(slot) ? nil : row(root: root, key: $0.integer(slot))
            }.map { [$0] } ?? []
        case .inverse(let slot, let positionSlot):
            forEachRow(root: root) { row in
                if row.slotCount > slot, !row.isNull(slot), row.integer(slot) == owner {
                    found.append((positionSlot.flatMap { row.isNull($0) ? nil : row.integer($0) }, row))
                }
                return true
            }
        case .links(let table, let isFirst):
            for (pair, positions) in links[table] ?? [:] where pair[isFirst ? 0 : 1] == owner {
                guard let row = row(root: root, key: pair[isFirst ? 1 : 0]) else { continue }
                found.append((end.isOrdered ? (isFirst ? positions.0 : positions.1) : nil, row))
            }
        }
        return found.sorted { a, b in
            if a.position == b.position { return a.row.key < b.row.key }
            return (a.position ?? .min, a.position == nil ? 0 : 1) < (b.position ?? .min, b.position == nil ? 0 : 1)
        }.map(\.row)
    }
}
