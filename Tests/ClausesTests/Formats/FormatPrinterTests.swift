import CofferClauses
import CofferStorage
import Foundation
import Testing

struct FormatPrinterTests {
    @Test(arguments: 0..<8)
    func `a printed random condition is parsed back to an equal condition`(_ seed: UInt64) throws {
        var random = RandomFormat(seed: seed)
        for _ in 0..<400 {
            let condition = random.condition(depth: 4)
            let printed = condition.description
            do {
                let again = try PredicateFormat(printed)
                #expect(again == condition, "seed \(seed): \(printed) became \(again)")
            } catch {
                Issue.record("seed \(seed): \(error)")
            }
        }
    }
}
