import CofferStorage
import Foundation

/// Computes the checksums of rows and links for a ``StoreSummary``.
///
/// It receives the rows and links in the order of their keys.
///
/// A row contributes its key, its version and its values, each with a fixed length or after its length. A link
/// contributes its keys and places. The result does not depend on the backend.
struct StoreDigest {
    private struct Part {
        var name: String
        var count = 0
        var hash = SHA256()
    }

    private let layout: ModelLayout
    /// The parts of the entities, by the index of the entity.
    private var entities: [Part]
    /// The parts of the link tables, by the index of the table.
    private var links: [Part]
    /// The bytes that are not hashed yet.
    private var bytes: [UInt8] = []

    init(_ layout: ModelLayout) {
        self.layout = layout
        entities = layout.entities.map { Part(name: $0.name) }
        links = layout.linkTables.map { table in
            let side = layout.relationships[table.first]
            return Part(name: "\(layout.entities[side.owner].name).\(side.name)")
        }
    }

    /// Adds rows of one tree.
    ///
    /// - Throws: `corrupt` if a row belongs to no entity of the model.
    mutating func add(_ rows: [Row]) throws(StorageError) {
        var entity: Int?
        for row in rows {
            if row.entity != entity {
                endRun(of: entity)
                entity = row.entity
            }
            guard layout.entities.indices.contains(row.entity), layout.entities[row.entity].kinds.count == row.slotCount
            else { throw StorageError(.corrupt, "The row \(row.key) does not fit the model.") }
            append(row)
            entities[row.entity].count += 1
        }
        endRun(of: entity)
    }

    /// Adds links of one table.
    mutating func add(_ links: [ChangeSet.Link]) {
        guard let table = links.first?.table else { return }
        for link in links {
            append(link.first)
            append(link.second)
            for position in [link.firstPosition, link.secondPosition] {
                bytes.append(position == nil ? 0 : 1)
                append(position ?? 0)
            }
        }
        self.links[table].count += links.count
        bytes.withUnsafeBytes { self.links[table].hash.update($0) }
        bytes.removeAll(keepingCapacity: true)
    }

    var summary: StoreSummary {
        func part(_ part: Part) -> StoreSummary.Part {
            .init(name: part.name, count: part.count, checksum: Self.hexadecimal(part.hash.digest))
        }
        return StoreSummary(
            entities: layout.entities.filter { !$0.isAbstract }.map { part(entities[$0.index]) },
            relationships: links.map(part)
        )
    }

    /// Hashes a run of rows of one entity.
    private mutating func endRun(of entity: Int?) {
        if let entity { bytes.withUnsafeBytes { entities[entity].hash.update($0) } }
        bytes.removeAll(keepingCapacity: true)
    }

    private mutating func append(_ row: Row) {
        append(row.key)
        append(row.version)
        for (slot, kind) in layout.entities[row.entity].kinds.enumerated() {
            guard !row.isNull(slot) else {
                bytes.append(0)
                continue
            }
            bytes.append(1)
            switch kind {
            case .integer, .reference: append(row.integer(slot))
            case .double, .date: append(Int64(bitPattern: row.double(slot).bitPattern))
            case .boolean: bytes.append(row.boolean(slot) ? 1 : 0)
            case .text, .blob:
                row.withBytes(slot) {
                    append(Int64($0.count))
                    bytes.append(contentsOf: $0)
                }
            case .decimal:
                // One number has several internal forms, but only one string.
                let text = row.decimal(slot).description
                append(Int64(text.utf8.count))
                bytes.append(contentsOf: text.utf8)
            }
        }
    }

    private mutating func append(_ number: Int64) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    static func hexadecimal(_ data: Data) -> String {
        data.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
