import CofferSQL
import CofferStorage
import CofferStorageTools

/// Makes the rows of a commit refer to surviving rows, after new rows were merged.
struct PostgreSQLRedirector: SQLRedirector {
    let connection: PostgreSQLConnection
    let reader: PostgreSQLReader
    let batches: PostgreSQLBatches

    var schema: SQLSchema { batches.schema }
    private var layout: ModelLayout { schema.layout }

    func redirect(_ redirection: SQLRedirection) throws(StorageError) -> [Int64] {
        let parameters = PostgreSQLParameters(
            keys: redirection.merges.map(\.from), redirection.merges.map(\.into))
        return try connection.query(batches.redirect(redirection.reference), parameters).keys
    }

    func append(_ redirection: SQLRedirection, _ position: Int) throws(StorageError) -> [Int64] {
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
        let parameters = PostgreSQLParameters(keys: keys, owners, places)
        _ = try connection.query(batches.append(reference, positionColumn: position), parameters)
        return keys
    }

    func clearFormerPartners(
        of keys: [Int64], _ pair: OneToOne, _ written: inout Set<SQLRowKey>
    ) throws(StorageError) -> [SQLRowKey] {
        guard let text = batches.unanswered(pair) else { return [] }
        let partner = pair.inverse.owner
        let root = layout.entities[partner].root
        let found = try connection.query(text, PostgreSQLParameters(keys: keys)).keys
            .map { SQLRowKey(root: root, key: $0) }
        let raised = found.filter { written.insert($0).inserted }
        for (rows, raisesVersion) in [(raised, true), (Array(Set(found).subtracting(raised)), false)] {
            guard !rows.isEmpty else { continue }
            let text = SQLMutations(schema, batches.dialect).clear(
                pair.inverseSlot, of: partner, raisesVersion: raisesVersion, keys: "= ANY($1)")
            _ = try connection.query(text, PostgreSQLParameters(keys: rows.map(\.key).sorted()))
        }
        return found
    }
}
