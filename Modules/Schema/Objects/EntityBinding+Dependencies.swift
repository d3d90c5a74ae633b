package import CofferStorage
import CofferStorageTools

/// Finds all fields that affect a given field: if one of them changes, the given field also changes.
extension EntityBinding {
    /// Returns a field and all fields that affect it, also through other fields; empty if the field does not exist.
    package func watchedProperties(_ name: KeyPathString) -> Set<PropertyWatcher.Property> {
        var names: Set<KeyPathString> = []
        var rest = [name]
        guard property(name) != nil else { return [] }
        while let next = rest.popLast() {
            if names.insert(next).inserted { rest += affectingFields[next] ?? [] }
        }
        return Set(names.compactMap(property))
    }

    private func property(_ name: KeyPathString) -> PropertyWatcher.Property? {
        guard let (field, word) = fields.first(where: { $0.descriptor.keyPath == name }) else { return nil }
        return switch field.kind {
        case .stored: .slot(word.slot)
        case .virtual: .virtual(word.slot)
        case .relationship: .relationship(word.slot)
        }
    }

    /// Returns the fields that affect each field of a class.
    ///
    /// - Parameter own: the number of fields, from the first, that the class declares itself.
    static func affectingFields(
        of entity: EntityName, _ fields: [FieldDescriptor], own: Int
    ) -> [KeyPathString: Set<KeyPathString>] {
        let known = fields.map(\.keyPath)
        var result: [KeyPathString: Set<KeyPathString>] = [:]
        for (index, field) in fields.enumerated() {
            for path in field.affectedByKeyPaths().sorted() {
                // A path through a relationship counts as the relationship.
                let name = path.split(separator: ".").first.map(String.init) ?? path
                result[field.keyPath, default: []].insert(name)
                guard index < own, !known.contains(name) else { continue }
                let near = RequestResolver.nearest(to: name, among: known.filter { $0 != field.keyPath }.sorted())
                Diagnostics.log(
                    .warning,
                    "'\(entity).\(field.keyPath)' is affected by '\(name)', which is not a field of '\(entity)'."
                        + (near.map { " Did you mean '\($0)'?" } ?? ""))
            }
        }
        return result
    }
}
