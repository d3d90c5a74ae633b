import CofferClauses
import CofferSchema
import CofferStorage
import Testing

struct GroupByTests {
    @Test func `CLS-90 an empty grouping does nothing`() {
        let request = FetchRequest(entityName: "Dog")
        GroupBy<Dog>().applyToFetchRequest(request)
        #expect(request.propertiesToGroupBy == [])
    }

    @Test func `CLS-90 groupings are equal by their list of keys`() {
        #expect(GroupBy<Dog>("age", "mood") == GroupBy<Dog>(["age", "mood"]))
        #expect(GroupBy<Dog>("age", "mood") != GroupBy<Dog>("mood", "age"))
        #expect(GroupBy<Dog>(\.$nickname) == GroupBy<Dog>("nick_name"))
        #expect(Set([GroupBy<Dog>("age"), GroupBy<Dog>(\.$age)]).count == 1)
    }

    @Test func `a grouping is applied to a request`() {
        let request = FetchRequest(entityName: "Dog")
        GroupBy<Dog>(\.$age).applyToFetchRequest(request)
        #expect(request.propertiesToGroupBy == ["age"])
    }
}
