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
    ) throws(StorageError) -> [Int64: Int]? {
        let inverse = layout.relationships[relationship.inverse]
        var owners: [Int64: Int] = [:]
        for object in state.factory.objects(members, relationship.destination, store) {
            for owner in try state.loader.toMany(inverse, of: object) {
                owners[owner.id.key, default: 0] += 1
            }
            guard owners.count <= limit else { return nil }
        }
        return owners
    }
}
