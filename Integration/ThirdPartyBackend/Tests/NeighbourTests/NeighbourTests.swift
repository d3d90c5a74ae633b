import CLibPQ
import CSQLite
import Coffer
import CofferInMemory
import CofferPostgreSQL
import CofferSQLite
import Foundation
import Neighbour
import Testing

/// A program that uses Coffer beside packages with targets called `CSQLite` and `CLibPQ` and a type called `Row`.
@MainActor
struct NeighbourTests {
    private final class Plant: CoreStoreObject {
        @Field.Stored("height") var height: Int = 0
    }

    @Test func `types named Row and Column of another package are not ambiguous beside Coffer`() throws {
        let stack = DataStack(CoreStoreSchema(modelVersion: "V1", entities: [Entity<Plant>("Plant")]))
        try stack.addStorageAndWait(InMemoryStore())
        try stack.perform(synchronous: { transaction in
            let row = Row(["height": 3])
            transaction.create(Into<Plant>()).height = row.values["height"] ?? 0
        })
        let columns = ColumnSet([Column("height")])
        let heights = try stack.queryAttributes(
            From<Plant>(), Select<Plant, NSDictionary>(.attribute(columns.columns[0].name)))
        #expect(heights.first?["height"] as? Int == 3)
    }

    @Test func `C targets with common names resolve beside Coffer`() {
        #expect(String(cString: neighbour_csqlite()) == "CSQLite")
        #expect(String(cString: neighbour_clibpq()) == "CLibPQ")
    }
}
