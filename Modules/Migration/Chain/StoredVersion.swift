import CofferSchema
package import CofferStorage
import CofferStorageTools

/// Compares the model in a store with the schema history; finds the migration path, or explains why there is none.
package struct StoredVersion {
    private let stored: StoreModel
    private let history: SchemaHistory

    package init(_ stored: StoreModel, _ history: SchemaHistory) {
        self.stored = stored
        self.history = history
    }

    private var current: ModelVersion { history.currentModelVersion }
    private var chain: MigrationChain { history.migrationChain }

    /// The versions whose schemas are compatible with the model of the store, in ascending order.
    private var compatible: [ModelVersion] {
        history.schemaByVersion.filter { $0.value.rawModel().storeModel.isCompatible(with: stored) }.keys.sorted()
    }

    /// The models of the history from the model of the store to the current model; nil if there is no path.
    package var path: [StoreModel]? {
        let same = compatible
        guard var version = same.contains(stored.version) ? stored.version : same.first else { return nil }
        var versions = [version]
        if chain.isEmpty, version != current { versions.append(current) }
        while !chain.isEmpty, version != current {
            guard let next = chain.nextVersionFrom(version) else { return nil }
            versions.append(next)
            version = next
        }
        let models = versions.compactMap { history.schemaByVersion[$0]?.rawModel().storeModel }
        return models.count == versions.count ? models : nil
    }

    /// Whether the chain continues from the current version to the version of the store.
    package var isLater: Bool {
        var version = current
        while let next = chain.nextVersionFrom(version) {
            if next == stored.version || compatible.contains(next) { return true }
            version = next
        }
        return false
    }

    /// A message with the version in the store, the reason that the program cannot use it, and the remedy.
    ///
    /// - Parameter name: the name of the store in the message, such as the path of its file in quotes.
    package func explanation(_ name: String) -> String {
        let holds = "\(name) contains version '\(stored.version)' of the model"
        if isLater {
            return
                "\(holds), which is newer than '\(current)', the version of this program. Open the store with a "
                + "program that uses '\(stored.version)'."
        }
        if path != nil {
            return "\(holds), but this program uses '\(current)'. Add the store with 'addStorage', which migrates it."
        }
        if !compatible.isEmpty {
            return
                "\(holds), but there are no steps to '\(current)'. \(known) Add '\(stored.version)' to the migration chain."
        }
        if let schema = history.schemaByVersion[stored.version] {
            let listed = stored.listDifferences(from: schema.rawModel().storeModel)
            return
                "\(holds), in which \(listed) differs from the schema '\(stored.version)' of this program. Restore that "
                + "schema. Give the changed schema a new version, and add a step from '\(stored.version)' to it."
        }
        let near = RequestResolver.nearest(to: stored.version, among: history.schemaByVersion.keys.sorted())
        let hint = near.map { " If the store was written with schema '\($0)', that schema has changed since." } ?? ""
        return
            "\(holds), which is unknown to this program. \(known)\(hint) A newer program may have written the store. "
            + "Update this program, or add the schema '\(stored.version)' to the history."
    }

    /// The versions of the history, and the steps between them.
    private var known: String {
        let versions = history.schemaByVersion.keys.sorted().map { "'\($0)'" }.joined(separator: ", ")
        return "The schema history has \(versions), and \(chain.isEmpty ? "no migration chain" : "the chain \(chain)")."
    }
}
