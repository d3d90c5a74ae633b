/// A request for rows of an entity: its condition, order, offset and limit.
///
/// The entity may be abstract (`fetching/abstract-entity`).
public struct RowRequest: Hashable, Sendable {
    /// The index of the entity.
    public var entity: Int
    /// Whether the result includes rows of sub-entities (`fetching/subentities`).
    public var includesSubentities: Bool
    /// The condition of the rows; by default, all rows match.
    public var predicate: RowPredicate
    /// The order.
    ///
    /// Ties are broken by key. If the order is empty, all rows are ordered by key.
    ///
    /// `fetching/key-order`, `fetching/order-by-several`, `fetching/ties-by-key`, `fetching/text-order`,
    /// `fetching/order-of-every-kind`, `fetching/order-through-relationship`
    public var order: [RowSort]
    /// The number of matching rows that the result omits at its beginning (`fetching/offset`).
    public var offset: Int
    /// The maximum number of rows in the result; nil for no limit (`fetching/limit`).
    public var limit: Int?

    /// Creates a request for rows of an entity, by default for all of its rows.
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
