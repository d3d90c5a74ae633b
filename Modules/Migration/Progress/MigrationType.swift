public import CofferStorage
public import CofferStorageTools

/// The kind of a migration step: none, lightweight, or heavyweight with code of the program.
public enum MigrationType: Hashable, Sendable {
    /// No step: the store already has this version.
    case none(version: ModelVersion)
    /// A step that the store carries out by itself.
    case lightweight(sourceVersion: ModelVersion, destinationVersion: ModelVersion)
    /// A step in which code of the program converts objects.
    case heavyweight(sourceVersion: ModelVersion, destinationVersion: ModelVersion)

    /// The version before the step.
    public var sourceVersion: ModelVersion {
        switch self {
        case .none(let version), .lightweight(let version, _), .heavyweight(let version, _): version
        }
    }

    /// The version after the step.
    public var destinationVersion: ModelVersion {
        switch self {
        case .none(let version), .lightweight(_, let version), .heavyweight(_, let version): version
        }
    }

    /// Whether the store carries out the step by itself.
    public var isLightweightMigration: Bool {
        if case .lightweight = self { true } else { false }
    }

    /// Whether code of the program converts objects in the step.
    public var isHeavyweightMigration: Bool {
        if case .heavyweight = self { true } else { false }
    }

    /// Whether there is a step.
    public var hasMigration: Bool { isLightweightMigration || isHeavyweightMigration }

    package init(_ step: MigrationPlan) {
        let (source, target) = (step.source.version, step.target.version)
        self =
            step.isLightweight
            ? .lightweight(sourceVersion: source, destinationVersion: target)
            : .heavyweight(sourceVersion: source, destinationVersion: target)
    }
}

extension MigrationType: CustomStringConvertible, CustomDebugStringConvertible, CoreStoreDebugStringConvertible {
    /// The kind of the step, and its versions.
    public var description: String {
        hasMigration ? "\(kind) '\(sourceVersion)' → '\(destinationVersion)'" : "\(kind) '\(sourceVersion)'"
    }

    /// The kind of the step, and its versions.
    public var coreStoreDumpString: String {
        DumpTree.text([
            ("kind", DumpWord(kind)),
            ("sourceVersion", sourceVersion),
            ("destinationVersion", destinationVersion),
        ])
    }

    private var kind: String {
        isHeavyweightMigration ? "heavyweight" : isLightweightMigration ? "lightweight" : "none"
    }
}
