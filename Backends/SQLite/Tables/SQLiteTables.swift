import CofferSQL
import CofferStorage
import CofferStorageTools

/// The statements that read rows of each entity, and the decoders of their results.
final class SQLiteTables: Sendable {
    let schema: SQLSchema
    let queries: SQLQueries
    /// The same, with integer sums that do not leave 64 bits on their way.
    let wideQueries: SQLQueries
    /// By the index of an entity, for its rows and those of its sub-entities.
    let decoders: [SQLiteRowDecoder]
    let ownDecoders: [SQLiteRowDecoder]
    /// By the index of an entity, the statement that reads a row by its key.
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

    /// The row with a key, as the transaction of a connection sees it.
    ///
    /// - Throws: `invalidValue` also when its version could not rise.
    func row(_ place: SQLRowKey, _ connection: SQLiteConnection) throws(StorageError) -> Row? {
        let statement = try connection.statement(rowTexts[place.root])
        defer { statement.reset() }
        statement.bind(place.key, 1)
        guard try statement.step() else { return nil }
        let row = try decoders[place.root].row(statement)
        try layout.checkVersion(row)
        return row
    }
}
