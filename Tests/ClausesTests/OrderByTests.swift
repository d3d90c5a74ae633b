import CofferClauses
import CofferEvaluation
import CofferSchema
import CofferStorage
import CofferStorageTools
import Foundation
import TestSupport
import Testing

struct OrderByTests {
    private func words(_ clause: OrderBy<Dog>) -> [String] { clause.sortDescriptors.map(\.description) }

    @Test(.pins("CLS-60")) func `sort keys are strings, fields or closures`() {
        #expect(words(OrderBy(.ascending("age"))) == ["age ascending"])
        #expect(words(OrderBy(.descending(\.$nickname))) == ["nick_name descending"])
        #expect(words(OrderBy(.ascending { $0.$species })) == ["species ascending"])
        #expect(words(OrderBy(.descending { $0.$master })) == ["master descending"])
        #expect(words(OrderBy([.ascending(\.$age), .descending("x")])) == ["age ascending", "x descending"])
        #expect(words(OrderBy(.ascending(\.$age), .descending("x"))) == ["age ascending", "x descending"])
        #expect(words(OrderBy(QuerySortDescriptor(key: "age", ascending: false))) == ["age descending"])
        #expect(words(OrderBy([QuerySortDescriptor(key: "age", ascending: false)])) == ["age descending"])
        #expect(words(OrderBy()) == [])
    }

    @Test(.pins("CLS-60")) func `order clauses can be combined`() {
        let age = OrderBy<Dog>(.ascending(\.$age))
        let name = OrderBy<Dog>(.descending(\.$nickname))
        var both = age
        both += name
        #expect(words(both) == ["age ascending", "nick_name descending"])
        #expect(age + name == both)
        #expect([age, name].combined() == both)
        #expect([OrderBy<Dog>]().combined() == OrderBy())
    }

    @Test(.pins("CLS-61")) func `orders are equal if their keys and directions are equal`() {
        #expect(OrderBy<Dog>(.ascending(\.$age)) == OrderBy<Dog>(.ascending("age")))
        #expect(OrderBy<Dog>(.ascending(\.$age)) != OrderBy<Dog>(.descending("age")))
        #expect(Set([OrderBy<Dog>(.ascending(\.$age)), OrderBy<Dog>(.ascending { $0.$age })]).count == 1)
    }

    @Test(.pins("CLS-62")) func `null is sorted before every value`() {
        #expect(ValueOrdering.sortOrder(.null, .integer(.min)) == .orderedAscending)
        #expect(ValueOrdering.sortOrder(.text(""), .null) == .orderedDescending)
    }

    @Test(.pins("CLS-63")) func `strings are sorted by their bytes`() {
        #expect(ValueOrdering.sortOrder(.text("Z"), .text("a")) == .orderedAscending)
        #expect(ValueOrdering.sortOrder(.text("z"), .text("é")) == .orderedAscending)
    }

    @Test(.pins("CLS-64")) func `a path through to-one relationships is a sort key`() throws {
        let order = OrderBy<Dog>(.ascending("master.name")).sortDescriptors
        let resolved = try Resolving().resolver.resolve(order, entity: Resolving().dog)
        #expect(resolved.count == 1)
    }

    @Test func `an order is applied to a request`() {
        let request = FetchRequest(entityName: "Dog")
        OrderBy<Dog>(.ascending(\.$age)).applyToFetchRequest(request)
        #expect(request.sortDescriptors == [QuerySortDescriptor(key: "age", ascending: true)])
    }
}
