import CofferClauses
import CofferSchema
import CofferStorage
import CofferStorageTools
import TestSupport
import Testing

struct TweakTests {
    @Test(.pins("CLS-70")) func `clauses run in their order, so the last tweak takes effect`() {
        let chain = From<Dog>().where(\.$age > 3).tweak { $0.fetchLimit = 5 }.tweak {
            $0.fetchLimit += 1
            $0.predicate = .constant(true)
        }
        let request = FetchRequest(entityName: "Dog")
        for clause in chain.fetchClauses { clause.applyToFetchRequest(request) }
        #expect(request.fetchLimit == 6)
        #expect(request.predicate == .constant(true))
    }
}
