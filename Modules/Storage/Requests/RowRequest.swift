/// Asks a store for rows.
///
/// The entity may be abstract (`fetching/abstract-entity`).
public struct RowRequest: Hashable, Sendable {
    /// The index of the entity.
    public var entity: Int
    /// Whether rows of sub-entities are wanted too (`fetching/subentities`).
    public var includesSubentities: Bool
    /// Which rows; all of them unless told otherwise.
    public var predicate: RowPredicate
    /// The order.
    ///
    /// Rows that it leaves equal, and all rows when it is empty, come in the order of their keys.
    ///
    /// `fetching/key-order`, `fetching/order-by-several`, `fetching/ties-by-key`, `fetching/text-order`,
    /// `fetching/order-of-every-kind`, `fetching/order-through-relationship`
    public var order: [RowSort]
    /// How many matching rows to leave out first (`fetching/offset`).
    public var offset: Int
    /// How many rows to return at most; nil for all (`fetching/limit`).
    public var limit: Int?

    /// A request for rows of an entity, by default for all of them.
    public init(
        entity: Int, includesSubentities: Bool = true, predicate: RowPredicate = .constant(true),
        order: [RowSort] = [], offset: Int = 0, limit: Int? = nil
    ) {
        self.entity = entity
        self.includesSubentities = includesSubentities
        self.predicate = predicate
        self.order = order
        self.offset = offset
        self.limit = limit
    }
}
