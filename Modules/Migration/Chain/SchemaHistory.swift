public import CofferSchema
public import CofferStorage
public import CofferStorageTools

// Sendable: the history is immutable, and the schemas guard their mutable state.
/// The schema history of a program: finds the current version, and refuses missing and duplicate schemas.
///
/// ```swift
/// let history = SchemaHistory(schemaV1, schemaV2, migrationChain: ["V1", "V2"])
/// let stack = DataStack(schemaHistory: history)
/// ```
///
/// The current version is the last version of the chain, unless `exactCurrentModelVersion` names another one. If the
/// current version is ambiguous, the program stops with a message.
public final class SchemaHistory: ExpressibleByArrayLiteral, @unchecked Sendable {
    /// A version of the schema.
    public typealias Element = any DynamicSchema

    /// The version that stores are opened with.
    public let currentModelVersion: ModelVersion
    /// The steps from older versions to the current version.
    public let migrationChain: MigrationChain

    /// The schema of ``currentModelVersion``.
    public var currentSchema: any DynamicSchema { schemaByVersion[currentModelVersion] ?? fallback }

    package let schemaByVersion: [ModelVersion: any DynamicSchema]
    /// The reason that no store can be opened with the history; nil if there is none.
    package let problem: StorageError?
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

    /// Creates a history of schemas in any order.
    ///
    /// The current version is `exactCurrentModelVersion`. If this argument is missing, it is the version of the only
    /// schema, or the only end of the chain that has a schema. If no version can be chosen, or there is no schema, the
    /// program stops with a message.
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
        currentModelVersion = Self.currentVersion(
            byVersion, allSchema.map(\.modelVersion), migrationChain, exactCurrentModelVersion)
        problem = Self.missingSchema(byVersion, migrationChain)
        if let problem { Diagnostics.assert(false, problem.message) }
    }

    /// The error for a version of the chain without a schema: no migration could continue after this version.
    private static func missingSchema(
        _ schemas: [ModelVersion: any DynamicSchema], _ chain: MigrationChain
    ) -> StorageError? {
        guard let missing = chain.versions.subtracting(schemas.keys).sorted().first else { return nil }
        let near = RequestResolver.nearest(to: missing, among: schemas.keys.filter { !chain.contains($0) }.sorted())
        let hint = near.map { "Did you mean '\($0)'?" } ?? "Add its schema, or remove the version from the chain."
        return .invalidModel(
            "The migration chain \(chain) has the version '\(missing)', but the schema history has no schema of that version. "
                + hint)
    }

    /// A straight line of versions, oldest first; the last is the current one.
    public convenience init(arrayLiteral elements: (any DynamicSchema)...) {
        self.init(
            allSchema: elements, migrationChain: MigrationChain(elements.map(\.modelVersion)),
            exactCurrentModelVersion: elements.last?.modelVersion
        )
    }

    private static func currentVersion(
        _ schemas: [ModelVersion: any DynamicSchema], _ versions: [ModelVersion], _ chain: MigrationChain,
        _ exact: ModelVersion?
    ) -> ModelVersion {
        if let exact {
            guard schemas[exact] != nil, chain.isEmpty || chain.contains(exact) else {
                Diagnostics.abort(
                    "The current version '\(exact)' must be among the schemas and in the migration chain.")
            }
            return exact
        }
        if chain.isEmpty, schemas.count == 1, let only = schemas.keys.first { return only }
        if chain.isEmpty, !chain.versions.contains(where: { schemas[$0] != nil }) {
            let list = versions.map { "\"\($0)\"" }.joined(separator: ", ")
            Diagnostics.abort(
                "The schema history has \(versions.count) schemas and no migration chain. Write migrationChain: [\(list)], "
                    + "with the oldest version first, or name the current version with exactCurrentModelVersion.")
        }
        let candidates = chain.leafVersions.filter { schemas[$0] != nil }
        guard candidates.count == 1, let current = candidates.first else {
            let near = chain.leafVersions.sorted().compactMap { leaf in
                candidates.isEmpty ? RequestResolver.nearest(to: leaf, among: schemas.keys.sorted()) : nil
            }
            let hint = near.first.map { "Did you mean '\($0)'? " } ?? ""
            Diagnostics.abort(
                "The current version cannot be determined from the migration chain \(chain): "
                    + "\(candidates.isEmpty ? "no" : "more than one") end of the chain has a schema. \(hint)"
                    + "Name the current version with exactCurrentModelVersion."
            )
        }
        return current
    }
}

extension SchemaHistory: CustomDebugStringConvertible, CoreStoreDebugStringConvertible {
    /// The versions, the chain and the current version.
    public var coreStoreDumpString: String {
        DumpTree.text([
            ("currentModelVersion", currentModelVersion),
            ("modelVersions", schemaByVersion.keys.sorted()),
            ("migrationChain", migrationChain),
            ("problem", problem?.message as Any),
        ])
    }
}
