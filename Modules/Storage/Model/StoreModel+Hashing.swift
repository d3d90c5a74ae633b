public import Foundation

extension StoreModel {
    /// A hash of each entity, by name.
    ///
    /// Equal for two models exactly when a store of one can be used with the other.
    ///
    /// SHA-256 over a canonical text, written down in `docs/version-locks.md`: the entity's name, parent, abstractness
    /// and modifier, then each attribute, each relationship and each unique constraint in the order of their names.
    /// Indexes, defaults and renaming identifiers do not take part.
    public var versionHashes: [EntityName: Data] {
        Dictionary(entities.map { ($0.name, $0.versionHash) }, uniquingKeysWith: { first, _ in first })
    }
}

extension EntityDescription {
    /// The hash ``StoreModel/versionHashes`` has for this entity.
    public var versionHash: Data {
        SHA256.hash(Data(canonicalText.utf8))
    }

    /// What is hashed.
    package var canonicalText: String {
        var lines = ["entity", name, parent ?? "", isAbstract ? "1" : "0", versionHashModifier ?? ""]
        for attribute in attributes.sorted(by: { Self.precedes($0.name, $1.name) }) {
            lines += [
                "attribute", attribute.name, attribute.type.rawValue, attribute.isOptional ? "1" : "0",
                attribute.versionHashModifier ?? "",
            ]
        }
        for relationship in relationships.sorted(by: { Self.precedes($0.name, $1.name) }) {
            lines += [
                "relationship", relationship.name, relationship.destination, relationship.inverse,
                relationship.isToMany ? "1" : "0", relationship.isOrdered ? "1" : "0", "\(relationship.minCount)",
                "\(relationship.maxCount)", relationship.deleteRule.rawValue, relationship.versionHashModifier ?? "",
            ]
        }
        let constraints = uniqueConstraints.map { $0.sorted(by: Self.precedes) }
        for constraint in constraints.sorted(by: { $0.lexicographicallyPrecedes($1, by: Self.precedes) }) {
            lines += ["unique"] + constraint
        }
        // Each line is preceded by its length, so that no two different lists give the same text.
        return lines.map { "\($0.utf8.count):\($0)\n" }.joined()
    }

    /// The order of names is that of their bytes, which no locale changes.
    private static func precedes(_ left: String, _ right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }
}
