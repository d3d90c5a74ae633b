import CofferSQL
import CofferStorage
import CofferStorageTools

/// The statements that read rows of each entity, and the decoders of their results.
final class SQLiteTables: Sendable {
    let schema: SQLSchema
    let queries: SQLQueries
    /// The queries with integer sums whose intermediate results may exceed 64 bits.
    let wideQueries: SQLQueries
    /// The decoders for the rows of an entity and its sub-entities, by the index of the entity.
    let decoders: [SQLiteRowDecoder]
    let ownDecoders: [SQLiteRowDecoder]
    /// The statements that read a row by its key, by the index of the entity.
    let rowTexts: [String]

    var layout: ModelLayout { schema.layout }

    init(_ schema: SQLSchema) {
        self.schema = schema
        let queries = SQLQueries(schema, SQLiteDialect())
        self.queries = queries
        wideQueries = SQLQueries(schema, SQLiteDialect(hasWideSums: true))
        decoders = schema.shapes.enumerated().map { SQLiteRowDecoder($1, in: schema, root: $0) }
        ownDecoders = schema.ownShapes.enumerated().map { SQLiteRowDecoder($1, in: schema, root: $0) }
        rowTexts = schema.layout.entities.indices.map { queries.row(root: $0) }
    }

    func decoder(_ entity: Int, includesSubentities: Bool) -> SQLiteRowDecoder {
        includesSubentities ? decoders[entity] : ownDecoders[entity]
    }

    /// Returns the row with a key in the current transaction of a connection.
    ///
    /// - Throws: `invalidValue`, also if the version of the row could not rise.
    func row(_ place: SQLRowKey, _ connection: SQLiteConnection) throws(StorageError) -> Row? {
        let statement = try connection.statement(rowTexts[place.root])
        defer { statement.reset() }
        statement.bind(place.key, 1)
        guard try statement.step() else { return nil }
        var arena = RowArena()
        let row = try decoders[place.root].row(statement, in: &arena)
        try layout.checkVersion(row)
        return row
    }
}
