/// Matches the names of two versions of a model by renaming identifiers, and then by equal names.
///
/// If a property takes a name that another property had before, it is a new property.
struct RenamingMatcher {
    typealias Named = (name: String, renamingIdentifier: String?)

    let sources: [Named]
    let targets: [Named]

    /// The names in the source, by the matching names in the target.
    var sourcesOfTargets: [String: String] {
        var found: [String: String] = [:]
        var taken: Set<String> = []
        func take(_ target: Named, _ matches: (Named) -> Bool) {
            guard found[target.name] == nil,
                let source = sources.first(where: { !taken.contains($0.name) && matches($0) })
            else { return }
            found[target.name] = source.name
            taken.insert(source.name)
        }
        let renamed = targets.filter { $0.renamingIdentifier != nil }
        // The previous version already has the same identifier: the property was renamed before.
        for target in renamed {
            take(target) { $0.name == target.name && $0.renamingIdentifier == target.renamingIdentifier }
        }
        for target in renamed { take(target) { $0.name == target.renamingIdentifier } }
        for target in renamed { take(target) { $0.renamingIdentifier == target.renamingIdentifier } }
        for target in targets { take(target) { $0.name == target.name } }
        return found
    }
}
