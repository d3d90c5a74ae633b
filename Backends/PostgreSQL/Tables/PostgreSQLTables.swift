import CofferSQL
import CofferStorage

/// The statements that read rows of each entity, and the decoders of their results.
final class PostgreSQLTables: Sendable {
    let schema: SQLSchema
    let queries: SQLQueries
    /// The decoders for the rows of an entity and its sub-entities, by the index of the entity.
    let decoders: [PostgreSQLRowDecoder]
    let ownDecoders: [PostgreSQLRowDecoder]
    /// The statements that read rows by their keys, by the index of the entity.
    let rowTexts: [String]

    var layout: ModelLayout { schema.layout }

    init(_ schema: SQLSchema) {
        self.schema = schema
        let queries = SQLQueries(schema, PostgreSQLDialect())
        self.queries = queries
        decoders = schema.shapes.enumerated().map { PostgreSQLRowDecoder($1, in: schema, root: $0) }
        ownDecoders = schema.ownShapes.enumerated().map { PostgreSQLRowDecoder($1, in: schema, root: $0) }
        rowTexts = schema.layout.entities.indices.map { queries.rows(root: $0, count: 1) }
    }

    func decoder(_ entity: Int, includesSubentities: Bool) -> PostgreSQLRowDecoder {
        includesSubentities ? decoders[entity] : ownDecoders[entity]
    }
}
