/// Finds which name of the previous version each name of the next one comes from.
///
/// What says where it comes from has the first choice: a property that takes a name which another one left behind is a
/// new property.
struct RenamingMatcher {
    typealias Named = (name: String, renamingIdentifier: String?)

    let sources: [Named]
    let targets: [Named]

    /// For each target's name that has one, the name of its source.
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
        // Said already in the version before: it was renamed then.
        for target in renamed {
            take(target) { $0.name == target.name && $0.renamingIdentifier == target.renamingIdentifier }
        }
        for target in renamed { take(target) { $0.name == target.renamingIdentifier } }
        for target in renamed { take(target) { $0.renamingIdentifier == target.renamingIdentifier } }
        for target in targets { take(target) { $0.name == target.name } }
        return found
    }
}
