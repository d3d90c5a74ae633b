import CofferEvaluation
import CofferSchema
import CofferStorage
import CofferStorageTools

/// The related objects of conditions, with their pending changes.
extension PendingOverlay: RelatedRowSource {
    var layout: ModelLayout { state.layout }

    func relatedRows(_ request: RowRequest) throws(StorageError) -> [Row]? { try rows(request) }

    func owners(
        _ relationship: RelationshipLayout, of members: [Row], limit: Int
    ) throws(StorageError) -> Set<Int64>? {
        let inverse = layout.relationships[relationship.inverse]
        var owners: Set<Int64> = []
        for object in ObjectFactory(state).objects(members, relationship.destination, store) {
            owners.formUnion(try RelationshipLoader(state).toMany(inverse, of: object).map(\.id.key))
            guard owners.count <= limit else { return nil }
        }
        return owners
    }
}
