public import CofferStorage

// Sendable: immutable; schemas guard what they build.
/// Every version of a model that a program knows, and which is the current one.
public final class SchemaHistory: ExpressibleByArrayLiteral, @unchecked Sendable {
    /// A version of the schema.
    public typealias Element = any DynamicSchema

    /// The version that stores are opened with.
    public let currentModelVersion: ModelVersion
    /// How older versions lead to it.
    public let migrationChain: MigrationChain

    /// The schema of ``currentModelVersion``.
    public var currentSchema: any DynamicSchema { schemaByVersion[currentModelVersion] ?? fallback }

    package let schemaByVersion: [ModelVersion: any DynamicSchema]
    private let fallback: any DynamicSchema

    /// A history of one or more schemas.
    public convenience init(
        _ schema: any DynamicSchema, _ otherSchema: any DynamicSchema..., migrationChain: MigrationChain = nil,
        exactCurrentModelVersion: String? = nil
    ) {
        self.init(
            allSchema: [schema] + otherSchema, migrationChain: migrationChain,
            exactCurrentModelVersion: exactCurrentModelVersion
        )
    }

    /// A history of schemas in any order.
    ///
    /// The current version is `exactCurrentModelVersion`, or the only schema's, or that of the one end of the chain
    /// that has a schema. Without such a version, or without any schema, the program stops.
    public init(
        allSchema: [any DynamicSchema], migrationChain: MigrationChain = nil, exactCurrentModelVersion: String? = nil
    ) {
        guard let first = allSchema.first else {
            Diagnostics.abort("A schema history needs at least one schema.")
        }
        Diagnostics.assert(migrationChain.isValid, "The migration chain of the schema history is not valid.")
        var byVersion: [ModelVersion: any DynamicSchema] = [:]
        for schema in allSchema {
            let isNew = byVersion.updateValue(schema, forKey: schema.modelVersion) == nil
            Diagnostics.assert(isNew, "Two schemas of the history have the version '\(schema.modelVersion)'.")
        }
        schemaByVersion = byVersion
        fallback = first
        self.migrationChain = migrationChain
        currentModelVersion = Self.currentVersion(byVersion, migrationChain, exactCurrentModelVersion)
    }

    /// A straight line of versions, oldest first; the last is the current one.
    public convenience init(arrayLiteral elements: (any DynamicSchema)...) {
        self.init(
            allSchema: elements, migrationChain: MigrationChain(elements.map(\.modelVersion)),
            exactCurrentModelVersion: elements.last?.modelVersion
        )
    }

    private static func currentVersion(
        _ schemas: [ModelVersion: any DynamicSchema], _ chain: MigrationChain, _ exact: ModelVersion?
    ) -> ModelVersion {
        if let exact {
            guard schemas[exact] != nil, chain.isEmpty || chain.contains(exact) else {
                Diagnostics.abort(
                    "The current version '\(exact)' must be among the schemas and in the migration chain.")
            }
            return exact
        }
        if chain.isEmpty, schemas.count == 1, let only = schemas.keys.first { return only }
        let candidates = chain.leafVersions.filter { schemas[$0] != nil }
        guard candidates.count == 1, let current = candidates.first else {
            Diagnostics.abort(
                "The current version cannot be told from the migration chain: \(candidates.isEmpty ? "no" : "more than one")"
                    + " end of it has a schema. Name it by 'exactCurrentModelVersion'."
            )
        }
        return current
    }
}
