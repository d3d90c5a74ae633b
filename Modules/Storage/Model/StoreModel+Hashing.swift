public import Foundation

/// Computes the version hashes of entities, and decides whether two models are compatible.
extension StoreModel {
    /// The version hash of each entity, by the name of the entity.
    ///
    /// If the hashes of two models are equal, a store of one model can be used with the other; see also
    /// ``isCompatible(with:)``.
    ///
    /// A hash is the SHA-256 of a string that `docs/version-locks.md` defines. The string contains the entity's name,
    /// its parent, whether it is abstract, and its modifier. Each attribute, relationship and unique constraint
    /// follows, in the order of their names. Indexes, defaults and renaming identifiers are not part of the string.
    public var versionHashes: [EntityName: Data] {
        Dictionary(entities.map { ($0.name, $0.versionHash) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns whether a store of this model can be used with another model, without a migration.
    ///
    /// This is the case if all parts of the ``versionHashes`` are equal, except the delete rules. A delete rule
    /// determines the behaviour of a program, but does not affect stored data.
    public func isCompatible(with other: StoreModel) -> Bool {
        entities == other.entities || entitiesDiffering(from: other).isEmpty
    }

    /// Whether the model equals another model, except for the attributes that are UUIDs.
    ///
    /// In this case, the store keeps its description. Otherwise, programs of two releases would rewrite the
    /// description each time they open the store.
    package func isDescribed(by other: StoreModel) -> Bool {
        self == other || withoutUUIDs == other.withoutUUIDs
    }

    private var withoutUUIDs: StoreModel {
        var model = self
        for entity in model.entities.indices {
            for attribute in model.entities[entity].attributes.indices {
                model.entities[entity].attributes[attribute].isUUID = false
            }
        }
        return model
    }

    /// Returns the sorted names of the entities that make this model incompatible with another model.
    func entitiesDiffering(from other: StoreModel) -> [EntityName] {
        let (own, others) = (storedTexts, other.storedTexts)
        return Set(own.keys).union(others.keys).filter { own[$0] != others[$0] }.sorted()
    }

    private var storedTexts: [EntityName: String] {
        Dictionary(
            entities.map { ($0.name, $0.canonicalText { _ in .nullify }) }, uniquingKeysWith: { first, _ in first })
    }
}

extension EntityDescription {
    /// The hash of this entity in ``StoreModel/versionHashes``.
    public var versionHash: Data { SHA256.hash(Data(canonicalText().utf8)) }

    /// Returns the string from which the version hash is computed.
    ///
    /// - Parameter rule: returns the delete rule that replaces a relationship's own rule in the string.
    package func canonicalText(_ rule: (DeleteRule) -> DeleteRule = { $0 }) -> String {
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
                "\(relationship.maxCount)", rule(relationship.deleteRule).rawValue,
                relationship.versionHashModifier ?? "",
            ]
        }
        let constraints = uniqueConstraints.map { $0.sorted(by: Self.precedes) }
        for constraint in constraints.sorted(by: { $0.lexicographicallyPrecedes($1, by: Self.precedes) }) {
            lines += ["unique"] + constraint
        }
        // Each line is preceded by its length, so that different lists never give the same string.
        return lines.map { "\($0.utf8.count):\($0)\n" }.joined()
    }

    /// Whether a name precedes another name in the order of their bytes, which no locale changes.
    private static func precedes(_ left: String, _ right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }
}
