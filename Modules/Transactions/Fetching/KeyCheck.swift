import CofferSchema
import CofferStorage
import CofferStorageTools

/// Refuses virtual fields in requests, and allows coded fields only in counts and comparisons with nil.
struct KeyCheck {
    let binding: SchemaBinding
    /// The entity of the request.
    let entity: Int

    /// The use of a key in a request.
    private enum Use {
        case compareWithNil
        case count
        case other
    }

    private enum Restriction {
        case virtual
        case coded
    }

    func check(_ fetch: ObjectFetch) throws(StorageError) {
        try fetch.predicate.requireDepth()
        for descriptor in fetch.order { try descriptor.expression.requireDepth() }
        try check(fetch.predicate, [entity])
        for descriptor in fetch.order { try check(descriptor.expression, .other, [entity]) }
    }

    func check(_ query: ObjectQuery) throws(StorageError) {
        try check(query.fetch)
        for group in query.groups { try check(group, .other, entity) }
        if let having = query.having {
            try having.requireDepth()
            try check(having, [entity])
        }
        for term in query.terms {
            switch term {
            case .value(let value):
                try value.requireDepth()
                try check(value, .other, [entity])
            case .aggregate(let aggregate, let value):
                try value.requireDepth()
                try check(value, aggregate == .count ? .count : .other, [entity])
            case .identity: continue
            }
        }
    }

    /// - Parameter scopes: the entities of the objects that a condition examines, the innermost last.
    private func check(_ predicate: QueryPredicate, _ scopes: [Int]) throws(StorageError) {
        if case .comparison(let comparison) = predicate { return try check(comparison, scopes) }
        try predicate.forEachChild(
            { (part) throws(StorageError) in try check(part, scopes) },
            { (value) throws(StorageError) in try check(value, .other, scopes) })
    }

    private func check(_ comparison: QueryComparison, _ scopes: [Int]) throws(StorageError) {
        let isEquality = comparison.relation == .equal || comparison.relation == .notEqual
        for (one, other) in [(comparison.left, comparison.right), (comparison.right, comparison.left)] {
            try check(one, isEquality && other == .value(.null) ? .compareWithNil : .other, scopes)
        }
    }

    private func check(_ expression: QueryExpression, _ use: Use, _ scopes: [Int]) throws(StorageError) {
        guard let scope = scopes.last else { return }
        switch expression {
        case .keyPath(let key): try check(key, use, scope)
        case .aggregate(let aggregate, let inner, let path, let condition):
            let inside = scopes + [try check(path, .other, scope)]
            try check(inner, aggregate == .count ? .count : .other, inside)
            try check(condition, inside)
        case .outer(let inner): try check(inner, .other, Array(scopes.dropLast()))
        default:
            try expression.forEachChild(
                { (part) throws(StorageError) in try check(part, scopes) },
                { (value) throws(StorageError) in try check(value, .other, scopes) })
        }
    }

    /// - Returns: the entity of the object at the end of the key path, or the entity of its attribute.
    @discardableResult
    private func check(_ keyPath: KeyPathString, _ use: Use, _ entity: Int) throws(StorageError) -> Int {
        var current = entity
        for name in keyPath.split(separator: ".").map(String.init) where !name.hasPrefix("@") {
            let layout = binding.layout.entities[current]
            if let index = layout.relationship(named: name) {
                current = binding.layout.relationships[index].destination
                continue
            }
            switch restriction(name, layout) {
            case .virtual:
                throw .invalidRequest(
                    "'\(layout.name).\(name)' is a virtual field, which is not stored.\(hint(name, layout))"
                )
            case .coded where use == .other:
                throw .invalidRequest(
                    "'\(layout.name).\(name)' is a coded field, which can only be compared with nil, or counted."
                        + hint(name, layout)
                )
            case .coded, nil: return current
            }
        }
        return current
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
        return others.isEmpty ? "" : " Other fields are \(others.map { "'\($0)'" }.joined(separator: ", "))."
    }
}
