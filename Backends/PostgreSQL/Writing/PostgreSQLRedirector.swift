import CofferSQL
import CofferStorage
import CofferStorageTools

/// Makes the rows of a commit refer to surviving rows, after new rows were merged.
struct PostgreSQLRedirector {
    let connection: PostgreSQLConnection
    let reader: PostgreSQLReader
    let batches: PostgreSQLBatches
    let merges: [CommitResult.Merge]

    private var schema: SQLSchema { batches.schema }
    private var layout: ModelLayout { schema.layout }

    /// Redirects references from merged rows to surviving rows, and clears one-to-one references that the surviving row
    /// does not return.
    ///
    /// - Returns: the rows that were changed.
    func redirect(_ changeSet: ChangeSet) throws(StorageError) -> Set<SQLRowKey> {
        var changed: Set<SQLRowKey> = []
        for redirection in schema.redirections(of: changeSet, merges) {
            let reference = redirection.reference
            let keys: [Int64]
            if let position = reference.positionColumn {
                keys = try append(redirection, position)
            } else {
                var parameters = PostgreSQLParameters()
                parameters.append(keys: redirection.merges.map(\.from))
                parameters.append(keys: redirection.merges.map(\.into))
                keys = try connection.query(batches.redirect(reference), parameters).keys
            }
            changed.formUnion(keys.map { SQLRowKey(root: layout.entities[reference.entity].root, key: $0) })
        }
        let pairs = layout.oneToOneRelationships(of: merges)
        guard !pairs.isEmpty else { return changed }
        var written = changeSet.written(merges, layout)
        for (pair, keys) in pairs { changed.formUnion(try clearFormerPartners(of: keys, pair, &written)) }
        return changed
    }

    /// Makes the members of an ordered relationship of merged rows the last members of the surviving rows.
    ///
    /// - Returns: the members of the merged rows.
    private func append(_ redirection: SQLRedirection, _ position: Int) throws(StorageError) -> [Int64] {
        let reference = redirection.reference
        var members: [Int64: [Int64]] = [:]
        for found in try reader.members(reference.inverse, of: redirection.merges.map(\.from)) {
            members[found.owner] = found.members.map(\.key)
        }
        var added: [Int64: [Int64]] = [:]
        for merge in redirection.merges { added[merge.into, default: []] += members[merge.from] ?? [] }
        let last = try reader.lastPlaces(reference.inverse, of: added.keys.sorted())
        var (keys, owners, places): ([Int64], [Int64], [Int64]) = ([], [], [])
        for (owner, members) in added.sorted(by: { $0.key < $1.key }) {
            keys += members
            owners += Array(repeating: owner, count: members.count)
            places += ChangeSet.places(after: last[owner], count: members.count)
        }
        guard !keys.isEmpty else { return [] }
        var parameters = PostgreSQLParameters()
        parameters.append(keys: keys)
        parameters.append(keys: owners)
        parameters.append(keys: places)
        _ = try connection.query(batches.append(reference, positionColumn: position), parameters)
        return keys
    }

    /// Clears references to surviving rows where these rows do not refer back.
    ///
    /// - Parameter written: the rows that have a new version already.
    /// - Returns: the rows that had the references.
    private func clearFormerPartners(
        of keys: [Int64], _ pair: OneToOne, _ written: inout Set<SQLRowKey>
    ) throws(StorageError) -> [SQLRowKey] {
        guard let text = batches.unanswered(pair) else { return [] }
        var parameters = PostgreSQLParameters()
        parameters.append(keys: keys)
        let partner = pair.inverse.owner
        let root = layout.entities[partner].root
        let found = try connection.query(text, parameters).keys.map { SQLRowKey(root: root, key: $0) }
        let raised = found.filter { written.insert($0).inserted }
        for (rows, raisesVersion) in [(raised, true), (Array(Set(found).subtracting(raised)), false)] {
            guard !rows.isEmpty else { continue }
            var parameters = PostgreSQLParameters()
            parameters.append(keys: rows.map(\.key).sorted())
            let text = batches.clear(pair.inverseSlot, of: partner, raisesVersion: raisesVersion)
            _ = try connection.query(text, parameters)
        }
        return found
    }
}
