public import CofferStorage

/// Data that a migration drops: counts the objects and values, and describes them for the log.
public struct DroppedData: Hashable, Sendable {
    /// The version of the model that has no place for the data.
    public let version: ModelVersion
    /// The entity, by its name in the store.
    public let entity: EntityName
    /// The attribute or relationship, by its name in the store; nil if whole objects are dropped.
    public let property: String?
    /// The number of objects that are dropped, or that lose a value of the property.
    ///
    /// The default value of an attribute does not count as a value.
    public let objectCount: Int
}

extension DroppedData: CustomStringConvertible {
    /// The dropped data and the number of objects.
    public var description: String {
        let objects = objectCount == 1 ? "1 object" : "\(objectCount) objects"
        guard let property else { return "version '\(version)' drops '\(entity)' with \(objects)" }
        return
            "version '\(version)' drops the value of '\(entity).\(property)' in \(objects)"
    }
}

extension StorageInterface {
    /// The data that some steps drop.
    ///
    /// The store must be closed. It is opened with its own model, and closed again.
    package func droppedData(by steps: [MigrationPlan]) throws(StorageError) -> [DroppedData] {
        guard let found = try inspect() else { return [] }
        let layout = try ModelLayout(found.model)
        var resolved: [ResolvedMigration] = []
        for step in steps { resolved.append(try ResolvedMigration(step, from: resolved.last?.target ?? layout)) }
        let drops = layout.entities.filter { !$0.isAbstract }.flatMap {
            MigrationDrop.all(of: $0, in: layout, resolved)
        }
        guard !drops.isEmpty else { return [] }
        if let reader = try? makeReader() {
            reader.finish()
            throw .openWhileMigrating
        }
        _ = try open(layout)
        defer { close() }
        return try read { reader throws(StorageError) in
            var found: [DroppedData] = []
            for drop in drops {
                let count = try reader.count(drop.request)
                guard count > 0 else { continue }
                found.append(
                    DroppedData(
                        version: drop.version, entity: layout.entities[drop.request.entity].name,
                        property: drop.property,
                        objectCount: count))
            }
            return found
        }
    }
}

/// An entity or a property of a store that one of several steps drops.
private struct MigrationDrop {
    let version: ModelVersion
    let property: String?
    /// The rows that lose data.
    let request: RowRequest

    /// Follows an entity and its properties through the steps.
    ///
    /// Data that a transformation receives do not count, because their use is unknown.
    static func all(of entity: EntityLayout, in layout: ModelLayout, _ steps: [ResolvedMigration]) -> [MigrationDrop] {
        var drops: [MigrationDrop] = []
        var place = entity.index
        var names = Dictionary(uniqueKeysWithValues: conditions(entity, layout).map { ($0.property, $0.property) })
        func drop(_ property: String?, _ condition: RowPredicate, _ step: ResolvedMigration) {
            let request = RowRequest(entity: entity.index, includesSubentities: false, predicate: condition)
            drops.append(MigrationDrop(version: step.plan.target.version, property: property, request: request))
        }
        for step in steps {
            guard let target = step.entity(after: place) else {
                drop(nil, .constant(true), step)
                return drops
            }
            for (property, condition) in conditions(entity, layout) {
                guard let name = names[property] else { continue }
                names[property] = step.property(after: name, of: place)
                if names[property] == nil, !step.isTransformed(place) { drop(property, condition, step) }
            }
            place = target
        }
        return drops
    }

    /// For each property, the condition that an object has a value.
    private static func conditions(
        _ entity: EntityLayout, _ layout: ModelLayout
    ) -> [(property: String, condition: RowPredicate)] {
        let attributes = entity.columns.enumerated().compactMap { slot, column -> (String, RowPredicate)? in
            guard case .attribute = column.role else { return nil }
            let value = RowExpression.column(slot: slot, kind: column.kind)
            let isThere = RowPredicate.compare(value, .notEqual, .value(.null))
            guard !column.defaultValue.isNull, column.kind != .blob else { return (column.name, isThere) }
            return (column.name, .and([isThere, .compare(value, .notEqual, .value(column.defaultValue))]))
        }
        let relationships = entity.relationships.map { index -> (String, RowPredicate) in
            let relationship = layout.relationships[index]
            if relationship.isToMany {
                return (relationship.name, .compare(.count(relationship: index), .greater, .value(.integer(0))))
            }
            return (
                relationship.name, .compare(.through(relationship: index, .key), .notEqual, .value(.null))
            )
        }
        return attributes + relationships
    }
}

extension ResolvedMigration {
    /// Returns the entity of the target for an entity of the source; nil if its rows are dropped.
    fileprivate func entity(after entity: Int) -> Int? { resolved.moves[entity]?.target.index }

    /// Whether code of the program converts the rows of an entity.
    fileprivate func isTransformed(_ entity: Int) -> Bool { resolved.moves[entity]?.transformation != nil }

    /// Returns the property of the target for a property of a source entity; nil if its values are dropped.
    fileprivate func property(after name: String, of entity: Int) -> String? {
        guard let move = resolved.moves[entity] else { return nil }
        if let old = move.source.relationship(named: name) {
            return resolved.relationships[entity].first { $0.value == old }.map { target.relationships[$0.key].name }
        }
        guard let slot = move.source.slot(named: name) else { return nil }
        return move.attributes.first { $0.value == slot }?.key
    }
}
