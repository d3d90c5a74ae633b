import CofferStorage

/// Resolves dotted key paths of at most 64 names, and suggests a similar name for an unknown name.
extension RequestResolver {
    /// Follows a dotted path of names from an entity.
    func path(_ keyPath: KeyPathString, entity: Int) throws(StorageError) -> ResolvedPath {
        var walk = Walk(entity: entity)
        let isPath = keyPath.utf8.contains(UInt8(ascii: "."))
        let names =
            isPath ? keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init) : [keyPath]
        // Code that processes the request uses stack space for each name.
        guard names.count <= Self.maximumNames else {
            throw .invalidRequest(
                "The path '\(names.prefix(4).joined(separator: ".")).…' has \(names.count) names. "
                    + "The limit is \(Self.maximumNames)."
            )
        }
        for (position, name) in names.enumerated() {
            if let aggregate = ValueRequest.Aggregate(pathKey: name), aggregate != .count, let relationship = walk.open
            {
                let rest = names[(position + 1)...].joined(separator: ".")
                try finish(aggregate, relationship, rest, of: keyPath, walk: &walk)
                break
            }
            try step(name, isLast: position == names.count - 1, of: keyPath, walk: &walk)
        }
        guard var result = walk.result else { throw unknown("", in: layout.entities[entity], path: keyPath) }
        result.collections = walk.collections
        result.name = "\(layout.entities[entity].name).\(keyPath)"
        return result
    }

    private static let maximumNames = 64

    /// Ends the path with an aggregate of the objects of the preceding relationship.
    private func finish(
        _ aggregate: ValueRequest.Aggregate, _ relationship: Int, _ rest: KeyPathString, of keyPath: KeyPathString,
        walk: inout Walk
    ) throws(StorageError) {
        let value = try path(rest, entity: layout.relationships[relationship].destination)
        guard !value.isCollection, !value.isObject else {
            throw .invalidRequest("'\(keyPath)' must end with an attribute of one object.")
        }
        try requireNumber(value, aggregate)
        let expression = RowExpression.aggregate(
            aggregate, value.expression, from: [], relationship: relationship, where: .constant(true)
        )
        walk.finish(expression, aggregate.kind(of: value.kind) ?? .integer)
    }

    private struct Walk {
        var entity: Int
        /// The to-one relationships since the start or the last to-many relationship.
        var steps: [Int] = []
        var collections: [ResolvedPath.Collection] = []
        /// The preceding to-many relationship, while '@count' may still follow.
        var open: Int?
        var result: ResolvedPath?

        mutating func finish(_ expression: RowExpression, _ kind: ColumnKind, objectRoot: Int? = nil) {
            let full = steps.reversed().reduce(expression) { .through(relationship: $1, $0) }
            result = ResolvedPath(expression: full, kind: kind, objectRoot: objectRoot)
        }

        mutating func enter(_ relationship: Int) {
            collections.append(.init(from: steps, relationship: relationship))
            steps = []
            open = nil
        }
    }

    private func step(
        _ name: String, isLast: Bool, of keyPath: KeyPathString, walk: inout Walk
    ) throws(StorageError) {
        if name == ValueRequest.Aggregate.count.pathKey, isLast, let relationship = walk.open {
            return walk.finish(.count(relationship: relationship), .integer)
        }
        if let relationship = walk.open { walk.enter(relationship) }
        let entity = layout.entities[walk.entity]
        if let index = entity.relationship(named: name) {
            let relationship = layout.relationships[index]
            let root = layout.entities[relationship.destination].root
            walk.entity = relationship.destination
            switch (relationship.storage, isLast) {
            case (.reference(let slot, _), true):
                walk.finish(.column(slot: slot, kind: .reference), .reference, objectRoot: root)
            case (.reference, false): walk.steps.append(index)
            case (_, true):
                walk.enter(index)
                walk.finish(.key, .reference, objectRoot: root)
            case (_, false): walk.open = index
            }
            return
        }
        guard let slot = entity.slot(named: name), case .attribute = entity.columns[slot].role else {
            throw unknown(name, in: entity, path: keyPath)
        }
        guard isLast else {
            throw .invalidRequest("'\(entity.name).\(name)' is an attribute, so '\(keyPath)' must end there.")
        }
        let kind = entity.columns[slot].kind
        walk.finish(.column(slot: slot, kind: kind), kind)
        walk.result?.isUUID = isUUID(slot: slot, entity: walk.entity)
    }

    private func unknown(_ name: String, in entity: EntityLayout, path: KeyPathString) -> StorageError {
        let place = path == name ? "" : " (in '\(path)')"
        let hint =
            Self.nearest(to: name, among: entity.propertyNames)
            .map { " Did you mean '\($0)'?" }
            ?? " It has \(entity.propertyNames.map { "'\($0)'" }.joined(separator: ", "))."
        return .invalidRequest("'\(entity.name)' has no property '\(name)'\(place).\(hint)")
    }

    /// The candidate with the smallest edit distance, if this distance is at most half of the letters.
    package static func nearest(to name: String, among candidates: [String]) -> String? {
        let best = candidates.map { (name: $0, distance: distance(Array(name.lowercased()), Array($0.lowercased()))) }
            .min { $0.distance < $1.distance }
        guard let best, best.distance <= max(1, name.count / 2) else { return nil }
        return best.name
    }

    /// The candidates in the order of their edit distance, the smallest first.
    package static func sorted(_ candidates: [String], byDistanceFrom name: String) -> [String] {
        let letters = Array(name.lowercased())
        return candidates.map { (name: $0, distance: distance(letters, Array($0.lowercased()))) }
            .sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.map(\.name)
    }

    private static func distance(_ a: [Character], _ b: [Character]) -> Int {
        var row = Array(0...b.count)
        for (i, left) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, right) in b.enumerated() {
                let substitution = diagonal + (left == right ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(substitution, row[j + 1] + 1, row[j] + 1)
            }
        }
        return row[b.count]
    }
}
