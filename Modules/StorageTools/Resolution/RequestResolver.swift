import CofferEvaluation
public import CofferStorage
import Foundation

/// Converts conditions and orders from names to slots, and refuses string options that depend on a language.
///
/// For an unknown key, the error has the entity, the key and the most similar key: `invalidRequest: 'Person' has no
/// property 'nmae'. Did you mean 'name'?`
public struct RequestResolver: Sendable {
    /// The model that contains the names.
    public let layout: ModelLayout
    /// By the index of a root entity, the key space of its ids; see `ObjectID.space`.
    let keySpaces: [Int: KeySpace]
    /// By the index of an entity, the slots of columns whose strings are UUIDs in lower case.
    private let uuidSlots: [ColumnSet]

    /// - Parameter keySpaces: the key spaces of the requested store, by the index of the root entity. An object of
    ///   another store equals no object of this store.
    public init(layout: ModelLayout, keySpaces: [Int: KeySpace]) {
        self.init(layout: layout, keySpaces: keySpaces, uuidSlots: [])
    }

    /// - Parameter uuidSlots: by the index of an entity, the slots of columns whose strings are UUIDs in lower case. A
    ///   string that is compared with such a column equals the same UUID in either case.
    package init(layout: ModelLayout, keySpaces: [Int: KeySpace], uuidSlots: [ColumnSet]) {
        self.layout = layout
        self.keySpaces = keySpaces
        self.uuidSlots = uuidSlots
    }

    /// Whether the strings of a column are UUIDs in lower case.
    package func isUUID(slot: Int, entity: Int) -> Bool {
        uuidSlots.indices.contains(entity) && uuidSlots[entity].contains(slot)
    }

    /// Converts a condition on objects to a condition on rows of an entity.
    public func resolve(_ predicate: QueryPredicate, entity: Int) throws(StorageError) -> RowPredicate {
        try predicate.requireDepth()
        return try resolve(predicate, in: Scope(entity: entity))
    }

    /// The entity of a condition, and the entities of the enclosing objects, the nearest first.
    struct Scope {
        var entity: Int
        var outer: [Int] = []
        /// The time of the request, which is the same for the whole condition.
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

        /// The enclosing scope; nil if there is none.
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
        try parts.map { part throws(StorageError) in try resolve(part, in: scope) }
    }

    /// Converts an order of objects to an order of rows of an entity.
    public func resolve(_ order: [QuerySortDescriptor], entity: Int) throws(StorageError) -> [RowSort] {
        try order.map { descriptor throws(StorageError) in
            var path = try value(descriptor.expression, entity: entity)
            if !descriptor.options.isEmpty { path.expression = try folded(path, descriptor) }
            return RowSort(path.expression, ascending: descriptor.ascending)
        }
    }

    /// A string without the differences that the options ignore.
    private func folded(
        _ path: ResolvedPath, _ descriptor: QuerySortDescriptor
    ) throws(StorageError) -> RowExpression {
        guard path.kind == .text else {
            throw .invalidRequest(
                "'\(descriptor)' needs a string, but '\(path.name)' is \(path.kind?.article ?? "null").")
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
                "The options of '\(place)' depend on a language, which stores do not support. Use [c], [d] or [n]."
            )
        }
    }

    /// Converts a key path to one value; it may pass through a to-many relationship only to count it.
    public func expression(_ keyPath: KeyPathString, entity: Int) throws(StorageError) -> RowExpression {
        try expression(.keyPath(keyPath), entity: entity)
    }

    /// Returns a constant in its stored form, for a comparison with a property.
    package func canonical(
        _ value: Value, comparedWith keyPath: KeyPathString?, entity: Int
    ) throws(StorageError) -> Value {
        guard let keyPath, case .text = value else { return value }
        return try path(keyPath, entity: entity).isUUID ? value.canonicalUUID : value
    }

    /// Converts an expression to one value of an object, which is stored or computed.
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
