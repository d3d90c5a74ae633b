import CofferClauses
import CofferSchema
import CofferStorage
import Foundation
import TestSupport
import Testing

struct GroupByTests {
    @Test(.pins("CLS-90")) func `an empty grouping does nothing`() {
        let request = FetchRequest(entityName: "Dog")
        GroupBy<Dog>().applyToFetchRequest(request)
        #expect(request.propertiesToGroupBy == [])
    }

    @Test(.pins("CLS-90")) func `groupings are equal if their lists of keys are equal`() {
        #expect(GroupBy<Dog>("age", "mood") == GroupBy<Dog>(["age", "mood"]))
        #expect(GroupBy<Dog>("age", "mood") != GroupBy<Dog>("mood", "age"))
        #expect(GroupBy<Dog>(\.$nickname) == GroupBy<Dog>("nick_name"))
        #expect(Set([GroupBy<Dog>("age"), GroupBy<Dog>(\.$age)]).count == 1)
    }

    @Test(.pins("CLS-90")) func `a query can group by any number of fields and paths`() {
        #expect(GroupBy<Dog>(\.$age, \.$species, \.$mood) == GroupBy("age", "species", "mood"))
        #expect(
            GroupBy<Dog>(\.$master ~ \.$name, \.$age, \.$species) == GroupBy("master.name", "age", "species"))
        let query = From<Dog>().select(NSDictionary.self, .count(\.$age))
        let groupings = [
            query.groupBy(\.$age, \.$species, \.$mood), query.groupBy(\.$master ~ \.$name),
            query.groupBy(\.$master ~ \.$name, \.$age),
        ]
        let requests = groupings.map { chain in
            let request = FetchRequest(entityName: "Dog")
            for clause in chain.queryClauses { clause.applyToFetchRequest(request) }
            return request.propertiesToGroupBy
        }
        #expect(requests == [["age", "species", "mood"], ["master.name"], ["master.name", "age"]])
    }

    @Test func `a grouping is applied to a request`() {
        let request = FetchRequest(entityName: "Dog")
        GroupBy<Dog>(\.$age).applyToFetchRequest(request)
        #expect(request.propertiesToGroupBy == ["age"])
    }
}
