import CofferSchema
public import CofferStorage
public import CofferStorageTools

/// A fetch request that clauses change from left to right: condition, order, limit, offset and options.
///
/// A ``Tweak`` can change all of its properties:
///
/// ```swift
/// let people = try stack.fetchAll(
///     From<Person>().tweak {
///         $0.includesSubentities = false
///         $0.fetchLimit = 20
///     }
/// )
/// ```
///
/// The request is checked when it is made. A key that the model does not have makes the call throw `invalidRequest`.
public final class FetchRequest {
    /// The name of the requested entity.
    public let entityName: EntityName
    /// The condition; nil matches everything.
    public var predicate: QueryPredicate?
    /// The order; the first key decides first.
    public var sortDescriptors: [QuerySortDescriptor] = []
    /// The maximum number of results; 0 means no limit.
    public var fetchLimit = 0 { didSet { isEmpty = false } }
    /// Whether the result must be empty; a limit of 0 cannot express this, because it means no limit.
    package private(set) var isEmpty = false
    /// The number of results to skip; a negative number counts as 0.
    public var fetchOffset = 0
    /// The number of objects that `fetchEach` and `fetchLazily` read at a time; 0 means the default number of 512.
    ///
    /// It has no effect on `fetchAll`, which reads all objects with one request.
    public var fetchBatchSize = 0
    /// For queries: the properties to group by.
    public var propertiesToGroupBy: [KeyPathString] = []
    /// For grouped queries: the condition on the groups.
    ///
    /// The condition may contain selected attributes, and aggregates by their aliases.
    public var havingPredicate: QueryPredicate?
    /// For queries: whether equal results are returned once.
    public var returnsDistinctResults = false
    /// Whether a fetch in a transaction sees its pending changes; true by default.
    public var includesPendingChanges = true
    /// Whether a fetch also finds objects of sub-entities; true by default.
    public var includesSubentities = true
    /// Relationships to load together with the objects.
    ///
    /// Loops do not need this property: see `@Field.Relationship`.
    public var relationshipKeyPathsForPrefetching: [KeyPathString] = []
    /// Has no effect, and exists for source compatibility with CoreStore: objects always have their values.
    public var returnsObjectsAsFaults = true
    /// Has no effect, and exists for source compatibility with CoreStore: objects always have their values.
    public var includesPropertyValues = true
    /// Has no effect, and exists for source compatibility with CoreStore: fetched objects have all of their values.
    ///
    /// The `Select` clause of a query defines its columns.
    public var propertiesToFetch: [KeyPathString]?
    /// Whether a fetch updates known objects with the current values of the store.
    public var shouldRefreshRefetchedObjects = false
    /// The stores to read; nil for the stores of the `From` clause.
    public var affectedStores: [any StorageInterface]?

    package init(entityName: EntityName) { self.entityName = entityName }

    /// Sets the maximum number of results; 0 or a negative number makes the result empty.
    func setLimit(_ count: Int) {
        fetchLimit = max(0, count)
        isEmpty = count <= 0
    }

    /// Logs a warning that a clause replaces an earlier clause of its kind.
    func warnOverwritten(_ earlier: String, by later: String, advice: String) {
        Diagnostics.log(.warning, "The \(earlier) on '\(entityName)' was overwritten by \(later). \(advice)")
    }

    /// Replaces everything except the name of the entity.
    func replaceContents(with other: FetchRequest) {
        predicate = other.predicate
        sortDescriptors = other.sortDescriptors
        (fetchLimit, fetchOffset, fetchBatchSize) = (other.fetchLimit, other.fetchOffset, other.fetchBatchSize)
        isEmpty = other.isEmpty
        propertiesToGroupBy = other.propertiesToGroupBy
        havingPredicate = other.havingPredicate
        returnsDistinctResults = other.returnsDistinctResults
        includesPendingChanges = other.includesPendingChanges
        includesSubentities = other.includesSubentities
        relationshipKeyPathsForPrefetching = other.relationshipKeyPathsForPrefetching
        returnsObjectsAsFaults = other.returnsObjectsAsFaults
        includesPropertyValues = other.includesPropertyValues
        propertiesToFetch = other.propertiesToFetch
        shouldRefreshRefetchedObjects = other.shouldRefreshRefetchedObjects
        affectedStores = other.affectedStores
    }
}
