public import CofferStorage

/// The numbers of rows and links in a store, and a checksum of its whole content.
///
/// Two stores of the same model have equal summaries if and only if they have the same rows and links, in any backends
/// (`loading/summary`). `StorageReader.summary(_:report:)` returns a summary.
public struct StoreSummary: Hashable, Sendable, Codable {
    /// The rows of an entity, or the links of a many-to-many relationship.
    public struct Part: Hashable, Sendable, Codable {
        /// The name of the entity, or of one side of the relationship: `Person.friends`.
        public let name: String
        /// The number of rows or links.
        public let count: Int
        /// The SHA-256 of the rows or links in the order of their keys, in hexadecimal digits.
        public let checksum: String
    }

    /// The entities that are not abstract, in the order of the model, each without the rows of its sub-entities.
    public let entities: [Part]
    /// The many-to-many relationships, in the order of the model.
    public let relationships: [Part]

    /// The number of rows.
    public var rowCount: Int { entities.reduce(0) { $0 + $1.count } }
    /// The number of links.
    public var linkCount: Int { relationships.reduce(0) { $0 + $1.count } }

    /// The SHA-256 of all parts, in hexadecimal digits.
    public var checksum: String {
        var hash = SHA256()
        for part in entities + relationships {
            var line = "\(part.name.utf8.count):\(part.name) \(part.count) \(part.checksum)\n"
            line.withUTF8 { hash.update(UnsafeRawBufferPointer($0)) }
        }
        return StoreDigest.hexadecimal(hash.digest)
    }
}

extension StorageReader {
    /// Reads the whole store in pages, and computes its summary.
    ///
    /// - Parameter report: called repeatedly with the number of rows and links that were read since the last call.
    /// - Throws: `unsupported` if the reader does not support links.
    public func summary(
        _ layout: ModelLayout, report: (Int) throws(StorageError) -> Void = { _ in }
    ) throws(StorageError) -> StoreSummary {
        var digest = StoreDigest(layout)
        for root in layout.entities where root.root == root.index {
            try forEachPage(root: root.index) { rows throws(StorageError) in
                try digest.add(rows)
                try report(rows.count)
            }
        }
        for table in layout.linkTables {
            try forEachLinkPage(table: table.index) { links throws(StorageError) in
                digest.add(links)
                try report(links.count)
            }
        }
        return digest.summary
    }

    /// The number of links in a table.
    ///
    /// - Parameter table: the index in `ModelLayout.linkTables`.
    public func linkCount(_ layout: ModelLayout, table: Int) throws(StorageError) -> Int {
        guard layout.linkTables.indices.contains(table) else { throw .noLinkTable(table) }
        let sides = layout.linkTables[table]
        let count = RowExpression.count(relationship: sides.first)
        let all = RowRequest(entity: layout.relationships[sides.first].owner)
        // If a relationship is its own inverse, each link is counted at both ends, except a link from a row to itself.
        guard sides.first != sides.second else {
            var links = 0
            try forEachLinkPage(table: table) { links += $0.count }
            return links
        }
        guard
            case .integer(let links)? = try values(ValueRequest(rows: all, terms: [.aggregate(.sum, count)])).first?
                .first
        else { return 0 }
        return Int(links)
    }

    /// The number of rows and links.
    func contentCount(_ layout: ModelLayout) throws(StorageError) -> Int {
        var count = 0
        for root in layout.entities where root.root == root.index {
            count += try self.count(RowRequest(entity: root.index))
        }
        for table in layout.linkTables.indices { count += try linkCount(layout, table: table) }
        return count
    }
}
