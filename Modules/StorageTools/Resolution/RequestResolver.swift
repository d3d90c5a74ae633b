import CofferEvaluation
public import CofferStorage
import Foundation

/// Replaces the names in a request by slots and relationships, and refuses what the model does not have.
///
/// An unknown key is an error that names the entity, the key and the nearest key there is:
/// `invalidRequest: 'Person' has no property 'nmae'. Did you mean 'name'?`
public struct RequestResolver: Sendable {
    /// The model whose names are looked up.
    public let layout: ModelLayout
    /// For each root entity's index, the number of the key space its ids must be of; see `ObjectID.space`.
    let keySpaces: [Int: KeySpace]
    /// By the index of an entity, the slots of columns whose texts are UUIDs in lower case.
    private let uuidSlots: [ColumnSet]

    /// - Parameter keySpaces: by the root entity's index, the key spaces of the store the request goes to. An object
    ///   of another store equals nothing in this one.
    public init(layout: ModelLayout, keySpaces: [Int: KeySpace]) {
        self.init(layout: layout, keySpaces: keySpaces, uuidSlots: [])
    }

    /// - Parameter uuidSlots: by the index of an entity, the slots of columns whose texts are UUIDs in lower case. A text
    ///   that is compared with such a column equals the same UUID in either case.
    package init(layout: ModelLayout, keySpaces: [Int: KeySpace], uuidSlots: [ColumnSet]) {
        self.layout = layout
        self.keySpaces = keySpaces
        self.uuidSlots = uuidSlots
    }

    /// Whether the texts of a column are UUIDs in lower case.
    package func isUUID(slot: Int, entity: Int) -> Bool {
        uuidSlots.indices.contains(entity) && uuidSlots[entity].contains(slot)
    }

    /// The condition as rows of an entity must fulfil it.
    public func resolve(_ predicate: QueryPredicate, entity: Int) throws(StorageError) -> RowPredicate {
        try predicate.requireDepth()
        return try resolve(predicate, in: Scope(entity: entity))
    }

    /// The object a condition is about, and those around it, the nearest first.
    struct Scope {
        var entity: Int
        var outer: [Int] = []
        /// The one instant that the whole condition takes for the present.
        let now: Value

        init(entity: Int) {
            self.entity = entity
            now = .date(Date())
        }

        /// The scope of a condition on related objects.
        func entering(_ entity: Int) -> Scope {
            var inner = self
            inner.entity = entity
            inner.outer.insert(self.entity, at: 0)
            return inner
        }

        /// The scope around; nil when there is none.
        var around: Scope? {
            guard let entity = outer.first else { return nil }
            var scope = self
            scope.entity = entity
            scope.outer.removeFirst()
            return scope
        }
    }

    func resolve(_ predicate: QueryPredicate, in scope: Scope) throws(StorageError) -> RowPredicate {
        switch predicate {
        case .constant(let flag): return .constant(flag)
        case .comparison(let comparison): return try resolve(comparison, in: scope)
        case .and: return .and(try resolve(predicate.flatParts, in: scope))
        case .or: return .or(try resolve(predicate.flatParts, in: scope))
        case .not(let part): return .not(try resolve(part, in: scope))
        case .invalid(let reason): throw .invalidRequest(reason)
        }
    }

    private func resolve(_ parts: [QueryPredicate], in scope: Scope) throws(StorageError) -> [RowPredicate] {
        var resolved: [RowPredicate] = []
        resolved.reserveCapacity(parts.count)
        for part in parts { resolved.append(try resolve(part, in: scope)) }
        return resolved
    }

    /// The order as rows of an entity have it.
    public func resolve(_ order: [QuerySortDescriptor], entity: Int) throws(StorageError) -> [RowSort] {
        var resolved: [RowSort] = []
        for descriptor in order {
            var path = try value(descriptor.expression, entity: entity)
            if !descriptor.options.isEmpty { path.expression = try folded(path, descriptor) }
            resolved.append(RowSort(path.expression, ascending: descriptor.ascending))
        }
        return resolved
    }

    /// A text without what the options say does not matter.
    private func folded(
        _ path: ResolvedPath, _ descriptor: QuerySortDescriptor
    ) throws(StorageError) -> RowExpression {
        guard path.kind == .text else {
            throw .invalidRequest(
                "'\(descriptor)' needs a text, and '\(path.name)' is \(path.kind?.article ?? "null").")
        }
        try requireNoLanguage(descriptor.options, "\(descriptor)")
        guard TextFolding.applies(descriptor.options) else { return path.expression }
        let function: ValueFunction =
            switch descriptor.options.intersection([.caseInsensitive, .diacriticInsensitive]) {
            case .caseInsensitive: .caseless
            case .diacriticInsensitive: .markless
            default: .canonical
            }
        return .function(function, [path.expression])
    }

    func requireNoLanguage(_ options: TextOptions, _ place: String) throws(StorageError) {
        guard options.isDisjoint(with: [.localeSensitive, .wordBased]) else {
            throw .invalidRequest(
                "The options of '\(place)' depend on a language, which stores know nothing of. Use [c], [d] or [n]."
            )
        }
    }

    /// The value a key path leads to, which must not pass through a to-many relationship other than to count it.
    public func expression(_ keyPath: KeyPathString, entity: Int) throws(StorageError) -> RowExpression {
        try expression(.keyPath(keyPath), entity: entity)
    }

    /// A constant as the store keeps it when it is compared with a property.
    package func canonical(
        _ value: Value, comparedWith keyPath: KeyPathString?, entity: Int
    ) throws(StorageError) -> Value {
        guard let keyPath, case .text = value else { return value }
        return try path(keyPath, entity: entity).isUUID ? value.canonicalUUID : value
    }

    /// One value of an object, whether it is kept or computed.
    public func expression(_ expression: QueryExpression, entity: Int) throws(StorageError) -> RowExpression {
        try value(expression, entity: entity).expression
    }

    private func value(_ expression: QueryExpression, entity: Int) throws(StorageError) -> ResolvedPath {
        try expression.requireDepth()
        let path = try operand(expression, in: Scope(entity: entity))
        guard !path.isCollection else {
            throw .invalidRequest(
                "'\(expression)' has many values for one '\(layout.entities[entity].name)'. "
                    + "Use it in a condition with ANY, ALL or NONE, or count it with '@count'."
            )
        }
        return path
    }
}
