import CofferStorage
import CofferStorageTools

/// Finds rows by the values of an attribute, for the import of records.
struct RowFinder {
    private let resolver: RequestResolver

    init(_ layout: ModelLayout, _ metadata: StoreMetadata) {
        let roots = layout.entities.filter { $0.root == $0.index }
        resolver = RequestResolver(
            layout: layout,
            keySpaces: Dictionary(
                uniqueKeysWithValues: roots.map {
                    ($0.index, KeySpace(store: metadata.store, entityName: $0.name))
                }))
    }

    /// Returns the rows that have one of some values, by these values.
    ///
    /// The rows belong to the entity or its sub-entities. If several rows have the same value, the result contains
    /// the row with the lowest key.
    func rows(
        _ entity: EntityLayout, slot: Int, values: Set<Value>, _ reader: any StorageReader
    ) throws(StorageError) -> [Value: Row] {
        guard !values.isEmpty else { return [:] }
        let column = entity.columns[slot]
        var request = RowRequest(entity: entity.index)
        let condition = QueryPredicate.comparison(
            QueryComparison(.keyPath(column.name), .isIn, .values(Array(values))))
        request.predicate = try resolver.resolve(condition, entity: entity.index)
        var found: [Value: Row] = [:]
        for row in try reader.rows(request) {
            let value = row.value(slot, column.kind)
            if found[value] == nil { found[value] = row }
        }
        return found
    }
}
