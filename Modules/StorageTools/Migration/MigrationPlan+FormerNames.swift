package import CofferStorage

/// Checks that former names (renaming identifiers) exist in the previous version, and suggests similar names.
extension MigrationPlan {
    /// Refuses a former name that the source does not have.
    ///
    /// Otherwise each object would get the default value, and its old value would be lost. If the source already has
    /// the property under its own name, the property was renamed before, and keeps its value.
    ///
    /// - Parameter others: the other versions of the model. A name in one of them is not misspelt: a property may be
    ///   new for a store that skips the version with this name.
    /// - Throws: `invalidModel` with the most similar name.
    package func checkFormerNames(others: [StoreModel] = []) throws(StorageError) {
        try checkEntities(others)
        for migration in entities {
            let (before, after) = (source.lineage(of: migration.source), target.lineage(of: migration.target))
            let elsewhere = others.flatMap { model in
                [migration.source, migration.target].flatMap { model.lineage(of: $0) }
            }
            func check(_ names: (EntityDescription) -> [FormerNameCheck.Named]) throws(StorageError) {
                try FormerNameCheck(
                    names: after.flatMap(names), matched: migration.properties,
                    sources: before.flatMap(names).map(\.name),
                    others: elsewhere.flatMap(names).map(\.name)
                ).run { name, former, hint in
                    "'\(migration.target).\(name)' of version '\(target.version)' has the previousVersionKeyPath "
                        + "'\(former)', but '\(migration.source)' of version '\(source.version)' has neither '\(former)' "
                        + "nor '\(name)'. \(hint)"
                }
            }
            try check { $0.attributes.map { ($0.name, $0.renamingIdentifier) } }
            try check { $0.relationships.map { ($0.name, $0.renamingIdentifier) } }
        }
    }

    /// Refuses a former name that another version of the model gave to another property of the source.
    ///
    /// For example, the source has 'alias' and 'nickname'. The other version exchanged the two names. The target has
    /// the property 'title', formerly 'nickname'. The correct value of 'title' is then the value of 'alias' in the
    /// source.
    ///
    /// - Throws: `invalidModel`, with both names.
    package func checkFormerNames(renamedIn other: StoreModel) throws(StorageError) {
        for migration in entities {
            let (before, after) = (source.lineage(of: migration.source), target.lineage(of: migration.target))
            let between = [migration.source, migration.target].map(other.lineage).first { !$0.isEmpty } ?? []
            func check(_ names: (EntityDescription) -> [FormerNameCheck.Named]) throws(StorageError) {
                let sources = Set(before.flatMap(names).map(\.name))
                for (name, former) in after.flatMap(names) {
                    guard let former, migration.properties[name] == former,
                        let earlier = between.flatMap(names).first(where: { $0.name == former })?.former,
                        earlier != former, sources.contains(earlier)
                    else { continue }
                    throw .invalidModel(
                        "'\(migration.target).\(name)' of version '\(target.version)' has the previousVersionKeyPath "
                            + "'\(former)', which is the new name of '\(earlier)' in version '\(other.version)'. "
                            + "Version '\(source.version)' has both names. Add the schema of that version to the "
                            + "history, with a chain to '\(other.version)'.")
                }
            }
            try check { $0.attributes.map { ($0.name, $0.renamingIdentifier) } }
            try check { $0.relationships.map { ($0.name, $0.renamingIdentifier) } }
        }
    }

    private func checkEntities(_ others: [StoreModel]) throws(StorageError) {
        let matched = Dictionary(entities.map { ($0.target, $0.source) }, uniquingKeysWith: { first, _ in first })
        try FormerNameCheck(
            names: target.entities.map { ($0.name, $0.renamingIdentifier) }, matched: matched,
            sources: source.entities.map(\.name), others: others.flatMap(\.entities).map(\.name)
        ).run { name, former, hint in
            "The entity '\(name)' of version '\(target.version)' has the renaming identifier '\(former)', but version "
                + "'\(source.version)' has neither '\(former)' nor '\(name)'. \(hint)"
        }
    }
}

/// Checks that all former names of properties or entities are in the version before.
private struct FormerNameCheck {
    typealias Named = (name: String, former: String?)

    let names: [Named]
    /// The former names of the names that were matched with the version before.
    let matched: [String: String]
    let sources: [String]
    let others: [String]

    func run(_ message: (_ name: String, _ former: String, _ hint: String) -> String) throws(StorageError) {
        for (name, former) in names {
            guard let former, matched[name] == nil, !sources.contains(former), !sources.contains(name),
                !others.contains(former)
            else { continue }
            throw .invalidModel(message(name, former, hint(former)))
        }
    }

    private func hint(_ former: String) -> String {
        if let near = RequestResolver.nearest(to: former, among: sources) { return "Did you mean '\(near)'?" }
        return sources.isEmpty ? "It has no names." : "It has \(sources.map { "'\($0)'" }.joined(separator: ", "))."
    }
}
