import Foundation

/// The sqlite3 C API from Swift: prepared statements, and values that are read directly into plain final classes.
///
/// The ratios of the other peers refer to this peer.
final class RawPeer: Peer {
    static let name = "raw"
    static let keepsFiles = true

    let database: RawDatabase
    let insertPerson, upsertPerson, insertItem, updateScore, deletePerson: RawStatement
    let people, older, younger, person, personByEmail, items, ageGroups, parents, children: RawStatement

    init(in directory: URL) throws {
        database = try RawDatabase(path: directory.appendingPathComponent("raw.sqlite").path)
        try database.execute("PRAGMA journal_mode = WAL; \(SQLSchema.settings)")
        try database.execute(SQLSchema.tables)
        insertPerson = try database.prepare(SQLSchema.insertPerson)
        upsertPerson = try database.prepare(SQLSchema.upsertPerson)
        insertItem = try database.prepare(SQLSchema.insertItem)
        updateScore = try database.prepare(SQLSchema.updateScore)
        personByEmail = try database.prepare(SQLSchema.selectPersonByEmail)
        deletePerson = try database.prepare(SQLSchema.deletePerson)
        people = try database.prepare(SQLSchema.selectPeople)
        older = try database.prepare(SQLSchema.selectOlder)
        younger = try database.prepare(SQLSchema.selectYounger)
        person = try database.prepare(SQLSchema.selectPerson)
        items = try database.prepare(SQLSchema.selectItems)
        ageGroups = try database.prepare(SQLSchema.selectAgeGroups)
        parents = try database.prepare(SQLSchema.selectParents)
        children = try database.prepare(SQLSchema.selectChildren)
    }

    func tally() throws -> Tally {
        var tally = Tally(count: 0, score: 0)
        try database.prepare(SQLSchema.selectTally).forEachRow {
            tally = Tally(count: $0.integer(0), score: $0.double(1))
        }
        return tally
    }
}
