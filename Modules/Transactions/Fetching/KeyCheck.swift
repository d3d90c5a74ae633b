import CofferSchema
import CofferStorage

/// Refuses requests by fields that no store can search by: virtual ones altogether, coded ones but for whether there is
/// a value.
struct KeyCheck {
    let binding: SchemaBinding
    /// The entity that is asked for.
    let entity: Int

    /// What a request does with a key.
    private enum Use {
        case compareWithNil
        case count
        case other
    }

    private enum Restriction {
        case virtual
        case coded
    }

    func check(_ fetch: ObjectGraph.Fetch) throws(StorageError) {
        try check(fetch.predicate)
        for descriptor in fetch.order { try check(descriptor.key, .other) }
    }

    func check(_ query: ObjectGraph.Query) throws(StorageError) {
        try check(query.fetch)
        for group in query.groups { try check(group, .other) }
        if let having = query.having { try check(having) }
        for term in query.terms {
            switch term {
            case .keyPath(let key): try check(key, .other)
            case .aggregate(let aggregate, let key): try check(key, aggregate == .count ? .count : .other)
            case .identity: continue
            }
        }
    }

    private func check(_ predicate: QueryPredicate) throws(StorageError) {
        switch predicate {
        case .comparison(let comparison): try check(comparison)
        case .and(let parts), .or(let parts): for part in parts { try check(part) }
        case .not(let part): try check(part)
        default: return
        }
    }

    private func check(_ comparison: QueryComparison) throws(StorageError) {
        let isEquality = comparison.relation == .equal || comparison.relation == .notEqual
        for (one, other) in [(comparison.left, comparison.right), (comparison.right, comparison.left)] {
            guard case .keyPath(let key) = one else { continue }
            try check(key, isEquality && other == .value(.null) ? .compareWithNil : .other)
        }
    }

    private func check(_ keyPath: KeyPathString, _ use: Use) throws(StorageError) {
        var current = entity
        for name in keyPath.split(separator: ".").map(String.init) {
            let layout = binding.layout.entities[current]
            if let index = layout.relationship(named: name) {
                current = binding.layout.relationships[index].destination
                continue
            }
            switch restriction(name, layout) {
            case .virtual:
                throw .invalidRequest(
                    "'\(layout.name).\(name)' is a virtual field, which no store knows.\(hint(name, layout))"
                )
            case .coded where use == .other:
                throw .invalidRequest(
                    "'\(layout.name).\(name)' is a coded field, which can only be compared with nil, or counted."
                        + hint(name, layout)
                )
            case .coded, nil: return
            }
        }
    }

    private func restriction(_ name: String, _ entity: EntityLayout) -> Restriction? {
        if binding.entities[entity.index].isVirtual(name) { return .virtual }
        guard let slot = entity.slot(named: name), entity.columns[slot].role == .attribute(.transformableAttributeType)
        else { return nil }
        return .coded
    }

    private func hint(_ name: String, _ entity: EntityLayout) -> String {
        let others = entity.propertyNames.filter { restriction($0, entity) == nil }
        if let nearest = RequestResolver.nearest(to: name, among: others) { return " Did you mean '\(nearest)'?" }
        return others.isEmpty ? "" : " Others are \(others.map { "'\($0)'" }.joined(separator: ", "))."
    }
}
