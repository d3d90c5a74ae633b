import CofferCCursor
import CofferStorage

/// What the properties of `Value`, `Transformable` and `Relationship` have in common: the object they belong to, and how
/// it reads and writes them.
///
/// Other than fields, which are one small word in their object, each is an object that leads back to its owner.
final class LegacyLink<V>: LegacyLinked {
    let keyPath: KeyPathString
    let word: FieldWord
    private let access: LegacyAccess<V>
    private let fallback: () -> V
    private(set) weak var owner: CoreStoreObject?

    init(
        _ keyPath: KeyPathString, _ access: LegacyAccess<V>, fallback: @escaping () -> V,
        _ describe: () -> FieldDescriptor
    ) {
        self.keyPath = keyPath
        self.access = access
        self.fallback = fallback
        word = .next(describe)
        if let collector = coffer_cursor_collector() {
            Unmanaged<FieldCollector>.fromOpaque(collector).takeUnretainedValue().links.append(self)
        }
    }

    func link(to object: CoreStoreObject) { owner = object }

    /// The value, through the accessors.
    var value: V {
        get {
            guard let owner else {
                reportMissingOwner()
                return fallback()
            }
            #if DEBUG
                if !access.checksReads { owner.checkRead() }
            #endif
            return access.read(owner, word)
        }
        set {
            guard let owner else { return reportMissingOwner() }
            access.write(owner, word, newValue)
        }
    }

    /// The value past the accessors; nil when there is none.
    var primitiveValue: V? {
        get {
            guard let owner else {
                reportMissingOwner()
                return nil
            }
            return access.readPrimitive(owner, word)
        }
        set {
            guard let owner else { return reportMissingOwner() }
            access.writePrimitive(owner, word, newValue)
        }
    }

    /// The value past the accessors; the default when there is none.
    var primitiveValueOrDefault: V { primitiveValue ?? fallback() }

    private func reportMissingOwner() {
        Diagnostics.assert(
            false,
            word.isBound
                ? "The property '\(keyPath)' was used after its object was let go of. Keep the object."
                : "The property '\(keyPath)' is one of a meta object: it has a key path but no value."
        )
    }
}

extension LegacyLink where V: FieldRelationshipType {
    /// The link of a relationship.
    convenience init(
        _ keyPath: KeyPathString, _ counts: (Int, Int), _ inverse: (() -> KeyPathString)?, _ deleteRule: DeleteRule,
        _ versionHashModifier: @escaping () -> String?, _ renamingIdentifier: @escaping () -> String?,
        _ affectedBy: @escaping () -> Set<String>
    ) {
        self.init(keyPath, .related, fallback: { V._empty }) {
            .relationship(
                V.self, keyPath, counts, inverse, deleteRule, versionHashModifier, renamingIdentifier, affectedBy,
                isLegacy: true
            )
        }
    }
}
