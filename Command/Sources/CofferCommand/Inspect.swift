import ArgumentParser
import CofferStorage
import CofferStorageTools
import Foundation

/// Runs `coffer inspect URL`, which prints the entities, row counts, version hashes and checksums of a store.
struct Inspect: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows the version and the size of a store, and the row count and the hash of each entity.")

    @Argument(help: "The URL of the store.")
    var url: String

    @Flag(help: "Also read all data, and show checksums. Stores of equal content have equal checksums.")
    var checksums = false

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let opened = try OpenedStore(url)
        defer { opened.store.close() }
        let report = try Report(opened, checksums: checksums)
        if json { try JSONOutput.write(report) } else { report.draw() }
    }
}

extension Inspect {
    /// The contents of the report.
    struct Report: Encodable {
        struct Entity: Encodable {
            let name: String
            let parent: String?
            let isAbstract: Bool
            /// The number of rows of the entity itself, without the rows of sub-entities.
            let rows: Int
            let versionHash: String
            let checksum: String?
        }

        struct Relationship: Encodable {
            let name: String
            let destination: String
            let links: Int
            let checksum: String?
        }

        let type: String
        let store: String
        let id: String
        let version: String
        let bytes: Int64?
        let entities: [Entity]
        /// The many-to-many relationships, each once.
        let relationships: [Relationship]
        let checksum: String?

        init(_ opened: OpenedStore, checksums: Bool) throws {
            let layout = opened.layout
            type = Swift.type(of: opened.store).storeType
            store = opened.store.storeDescription
            id = opened.metadata.store.uuidString
            version = opened.metadata.model.version
            bytes = try (opened.store as? any CheckableStorage)?.byteCount()
            let found = try opened.store.read { reader throws(StorageError) in
                let summary = checksums ? try reader.summary(layout) : nil
                var rows: [Int] = []
                for entity in layout.entities {
                    let own = RowRequest(entity: entity.index, includesSubentities: false)
                    rows.append(entity.isAbstract ? 0 : try reader.count(own))
                }
                var links: [Int] = []
                for table in layout.linkTables { links.append(try reader.linkCount(layout, table: table.index)) }
                return (summary: summary, rows: rows, links: links)
            }
            let hashes = opened.metadata.model.versionHashes
            entities = layout.entities.map { entity in
                Entity(
                    name: entity.name, parent: entity.parent.map { layout.entities[$0].name },
                    isAbstract: entity.isAbstract, rows: found.rows[entity.index],
                    versionHash: hashes[entity.name]?.map { String(format: "%02x", $0) }.joined() ?? "",
                    checksum: found.summary?.entities.first { $0.name == entity.name }?.checksum)
            }
            relationships = layout.linkTables.map { table in
                let side = layout.relationships[table.first]
                return Relationship(
                    name: "\(layout.entities[side.owner].name).\(side.name)",
                    destination: layout.entities[side.destination].name, links: found.links[table.index],
                    checksum: found.summary?.relationships[table.index].checksum)
            }
            checksum = found.summary?.checksum
        }

        func draw() {
            print(Terminal.bold(Terminal.printable(store)))
            print("version   \(Terminal.printable(version))")
            print("id        \(id)")
            if let bytes { print("size      \(Int(bytes).bytes)") }
            if let checksum { print("checksum  \(checksum)") }
            print("")
            var table = TextTable([("entity", .left), ("rows", .right), ("version hash", .left)] + checksumColumn)
            for entity in entities {
                let name = entity.parent.map { "\(entity.name): \($0)" } ?? entity.name
                table.append(
                    [name, entity.isAbstract ? "abstract" : entity.rows.grouped, String(entity.versionHash.prefix(12))]
                        + cells(entity.checksum))
            }
            table.lines.forEach { print($0) }
            guard !relationships.isEmpty else { return }
            print("")
            var links = TextTable([("relationship", .left), ("links", .right), ("to", .left)] + checksumColumn)
            for relationship in relationships {
                links.append(
                    [relationship.name, relationship.links.grouped, relationship.destination]
                        + cells(relationship.checksum))
            }
            links.lines.forEach { print($0) }
        }

        private var checksumColumn: [(title: String, alignment: TextTable.Alignment)] {
            checksum == nil ? [] : [("checksum", .left)]
        }

        private func cells(_ part: String?) -> [String] {
            checksum == nil ? [] : [part.map { String($0.prefix(12)) } ?? ""]
        }
    }
}
