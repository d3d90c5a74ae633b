import CofferClauses
import CofferSchema
import Foundation
import TestSupport
import Testing

private class Item: CoreStoreObject {
    @Field.Stored("title") var title: String = ""
    @Field.Stored("note") var note: String?
    @Field.Stored("mood") var mood: Mood = .calm
    @Field.Relationship("owner") var owner: Holder?
    @Field.Relationship("marks", inverse: \.$items) var marks: Set<Mark>
}

private final class Todo: Item {
    @Field.Stored("minutes") var minutes: Int = 0
}

private final class Holder: CoreStoreObject {
    @Field.Stored("name") var name: String = ""
    @Field.Relationship("items", inverse: \.$owner) var items: Set<Item>
}

private final class Mark: CoreStoreObject {
    @Field.Stored("label") var label: String = ""
    @Field.Relationship("items") var items: Set<Item>
}

/// Key paths of a subclass can name the fields of its superclass.
struct SuperclassFieldTests {
    @Test(.pins("CLS-40", "CLS-41", "CLS-44")) func `a subclass's key paths compare the fields of its superclass`() {
        let conditions: [Where<Todo>] = [
            \.$title == "a", \.$title != "a", \.$title < "a", \.$title >= "a", \.$note > "a", \.$note <= "a",
            ["a", "b"] ~= \.$title, \.$owner == nil as Holder?, \.$owner != nil as Holder?,
            Where(\.$title, isEqualTo: "a"), Where(\.$note, isEqualTo: nil), Where(\.$title, isMemberOf: ["a"]),
        ]
        let inherited: [Where<Item>] = [
            \.$title == "a", \.$title != "a", \.$title < "a", \.$title >= "a", \.$note > "a", \.$note <= "a",
            ["a", "b"] ~= \.$title, \.$owner == nil as Holder?, \.$owner != nil as Holder?,
            Where(\.$title, isEqualTo: "a"), Where(\.$note, isEqualTo: nil), Where(\.$title, isMemberOf: ["a"]),
        ]
        #expect(conditions.map(\.predicate) == inherited.map(\.predicate))
    }

    @Test(.pins("CLS-30")) func `fields of a class and its superclass combine without naming a class`() {
        let chain = From<Todo>().where(\.$minutes > 10 && \.$mood == .angry && !(\.$title == "a"))
        let named = From<Todo>().where(\Todo.$minutes > 10 && \Item.$mood == .angry && !(\Item.$title == "a"))
        #expect((chain.fetchClauses.first as? Where<Todo>) == (named.fetchClauses.first as? Where<Todo>))
        #expect(chain.fetchClauses.first is Where<Todo>)
    }

    @Test(.pins("CLS-50", "CLS-51")) func `paths can begin at a relationship of a superclass`() {
        let conditions: [Where<Todo>] = [
            (\.$owner ~ \.$name) == "a", (\Todo.$marks ~ \.$label).any() == "a", (\Todo.$marks).count() > 1,
        ]
        let inherited: [Where<Item>] = [
            (\.$owner ~ \.$name) == "a", (\Item.$marks ~ \.$label).any() == "a", (\Item.$marks).count() > 1,
        ]
        #expect(conditions.map(\.predicate) == inherited.map(\.predicate))
    }

    @Test(.pins("CLS-60", "CLS-85", "CLS-90"))
    func `a field of a superclass can be an order, a selection and a grouping`() {
        #expect(
            OrderBy<Todo>(.ascending(\.$title), .descending(\.$note))
                == OrderBy(.ascending("title"), .descending("note")))
        #expect(GroupBy<Todo>(\.$mood) == GroupBy("mood"))
        #expect(Select<Todo, String>(\.$title) == Select(.attribute("title")))
        #expect(Select<Todo, String>(\.$note) == Select(.attribute("note")))
        let terms: [SelectTerm<Todo>] = [
            .attribute(\.$title), .count(\.$title, as: "n"), .maximum(\.$minutes), .sum(\.$minutes),
            .average(\.$minutes),
        ]
        #expect(
            terms == [
                .attribute("title"), .count("title", as: "n"), .maximum("minutes"), .sum("minutes"),
                .average("minutes"),
            ])
        let query = From<Todo>().select(NSDictionary.self, .attribute(\.$mood), .minimum(\.$title)).groupBy(\.$mood)
        #expect(query.queryClauses.first as? GroupBy<Todo> == GroupBy("mood"))
        #expect(From<Todo>().select(\.$note).select == Select<Todo, String>(.attribute("note")))
    }
}
