public import CofferStorage
public import CofferStorageTools

// Sendable: only the binding is not constant, and a lock protects it.
/// A schema: the classes of one version of a model; compares the model with its version lock, and reports a difference.
///
/// ```swift
/// let schema = CoreStoreSchema(
///     modelVersion: "V1",
///     entities: [Entity<Person>("Person"), Entity<Dog>("Dog")]
/// )
/// let stack = DataStack(schema)
/// ```
///
/// After a release, keep the schema and its classes, and add a new schema with another version: see `MigrationChain`.
/// If the model contradicts itself, adding a store to the stack throws `invalidModel`.
public final class CoreStoreSchema: DynamicSchema, @unchecked Sendable {
    /// The version that the schema describes.
    public let modelVersion: ModelVersion

    private let entityConfigurations: [(entity: DynamicEntity, configurations: Set<String>)]
    private let isLocked: Bool
    private let binding = Locked<(binding: SchemaBinding, model: ObjectModel)?>(nil)

    /// Creates a schema whose entities belong to the default configuration.
    ///
    /// ```swift
    /// let schema = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Person>("Person"), Entity<Dog>("Dog")])
    /// ```
    ///
    /// - Parameters:
    ///   - modelVersion: the name of the version.
    ///   - entities: the entities, in any order.
    ///   - versionLock: the expected version hashes. If the model has other hashes, an assertion fails with a message
    ///     that contains the present hashes. If all hashes differ, as the hashes of CoreStore do, a warning is logged
    ///     instead.
    public convenience init(
        modelVersion: ModelVersion, entities: [DynamicEntity], versionLock: VersionLock? = nil
    ) {
        self.init(
            modelVersion: modelVersion, ordered: entities.map { ($0, []) }, versionLock: versionLock
        )
    }

    /// Creates a schema whose entities belong to named configurations.
    ///
    /// ```swift
    /// let schema = CoreStoreSchema(
    ///     modelVersion: "V1",
    ///     entityConfigurations: [Entity<Person>("Person"): ["Main"], Entity<Letter>("Letter"): ["Main", "Archive"]]
    /// )
    /// let archive = SQLiteStore(fileName: "archive.sqlite", configuration: "Archive")
    /// ```
    ///
    /// The default configuration has all entities. If a store names a configuration that the schema does not have,
    /// adding it throws `invalidModel`.
    public convenience init(
        modelVersion: ModelVersion, entityConfigurations: [DynamicEntity: Set<String>],
        versionLock: VersionLock? = nil
    ) {
        let ordered = entityConfigurations.sorted { $0.key.entityName < $1.key.entityName }
        self.init(
            modelVersion: modelVersion, ordered: ordered.map { ($0.key, $0.value) }, versionLock: versionLock
        )
    }

    private init(
        modelVersion: ModelVersion, ordered: [(entity: DynamicEntity, configurations: Set<String>)],
        versionLock: VersionLock?
    ) {
        self.modelVersion = modelVersion
        entityConfigurations = ordered
        isLocked = versionLock != nil
        if let versionLock { check(versionLock) }
    }

    /// Returns the model of the stores.
    public func rawModel() -> ObjectModel { built().model }

    /// Returns the model with the classes of its entities.
    public func _binding() -> SchemaBinding { built().binding }

    private func built() -> (binding: SchemaBinding, model: ObjectModel) {
        if let built = binding.withLock({ $0 }) { return built }
        // The binding is built outside the lock, because key paths and defaults are user code.
        let builder = SchemaBuilder(modelVersion: modelVersion, entityConfigurations: entityConfigurations)
        let made = builder.build()
        let result = (binding: made, model: ObjectModel(made.layout.model))
        #if DEBUG
            if !isLocked { suggestLock(made) }
        #endif
        return binding.withLock { binding in
            if let earlier = binding { return earlier }
            binding = result
            return result
        }
    }

    #if DEBUG
        // The level is not `notice`, because the default logger prints notices, and a program would print its whole
        // model at its start.
        private func suggestLock(_ binding: SchemaBinding) {
            guard binding.problem == nil else { return }
            let lock = VersionLock(binding.layout.model.versionHashes)
            Diagnostics.log(
                .trace, "The model of version '\(modelVersion)' has no version lock. This lock matches it:\n\(lock)"
            )
        }
    #endif

    private func check(_ lock: VersionLock) {
        let actual = VersionLock(rawModel().storeModel.versionHashes)
        guard !lock.isForeign(beside: actual) else {
            Diagnostics.log(
                .warning,
                "The version lock of '\(modelVersion)' matches none of its entities. CoreStore created the lock, or "
                    + "all entities have changed. Replace the lock by:\n\(actual)")
            return
        }
        Diagnostics.assert(
            lock == actual,
            "The model of version '\(modelVersion)' does not match its version lock. If the change is "
                + "intended, replace the lock by:\n\(actual)"
        )
    }
}

extension CoreStoreSchema: CustomDebugStringConvertible, CoreStoreDebugStringConvertible {
    /// The version, and the entities with their configurations.
    public var coreStoreDumpString: String {
        DumpTree.text([
            ("modelVersion", modelVersion),
            ("entities", entityConfigurations.map(\.entity)),
            ("configurations", Set(entityConfigurations.flatMap(\.configurations)).sorted()),
            ("isLocked", isLocked),
        ])
    }
}
