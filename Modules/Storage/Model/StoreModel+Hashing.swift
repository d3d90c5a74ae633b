public import Foundation

extension StoreModel {
    /// A hash of each entity, by name.
    ///
    /// Equal for two models exactly when a store of one can be used with the other.
    ///
    /// SHA-256 over a canonical text: the entity's name, parent, abstractness and modifier, then each attribute and
    /// each relationship in the order of their names. Indexes, defaults and renaming identifiers do not take part.
    public var versionHashes: [EntityName: Data] {
        Dictionary(entities.map { ($0.name, $0.versionHash) }, uniquingKeysWith: { first, _ in first })
    }
}

extension EntityDescription {
    /// The hash ``StoreModel/versionHashes`` has for this entity.
    public var versionHash: Data {
        var lines = ["entity", name, parent ?? "", isAbstract ? "1" : "0", versionHashModifier ?? ""]
        for attribute in attributes.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
            lines += [
                "attribute", attribute.name, attribute.type.rawValue, attribute.isOptional ? "1" : "0",
                attribute.versionHashModifier ?? "",
            ]
        }
        for relationship in relationships.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
            lines += [
                "relationship", relationship.name, relationship.destination, relationship.inverse,
                relationship.isToMany ? "1" : "0", relationship.isOrdered ? "1" : "0", "\(relationship.minCount)",
                "\(relationship.maxCount)", relationship.deleteRule.rawValue, relationship.versionHashModifier ?? "",
            ]
        }
        for constraint in uniqueConstraints { lines += ["unique"] + constraint }
        // Each line is preceded by its length, so that no two different lists give the same text.
        return SHA256.hash(Data(lines.map { "\($0.utf8.count):\($0)\n" }.joined().utf8))
    }
}
