import CofferClauses
import CofferSchema
import CofferStorage
import CofferStorageTools
import Foundation
import TestSupport
import Testing

/// The form `\.$field == value` and the form `$0.$field == value` of each operator.
struct KeyPathOperatorTests {
    private func words(_ clause: Where<Dog>) -> String { clause.predicate.description }

    @Test(.pins("CLS-40")) func `equality works for every stored field`() {
        #expect((\Dog.$age == 3).predicate == comparison("age", .equal, .integer(3)))
        #expect((\Dog.$mood == .angry).predicate == comparison("mood", .equal, .text("angry")))
        #expect((\Dog.$nickname == "Rex").predicate == comparison("nick_name", .equal, .text("Rex")))
        #expect((\Dog.$nickname == nil).predicate == comparison("nick_name", .equal, .null))
        let name: String? = "Rex"
        #expect((\Dog.$nickname == name).predicate == comparison("nick_name", .equal, .text("Rex")))
    }

    @Test(.pins("CLS-40")) func `the operators of order compare comparable fields and their optionals`() {
        #expect(words(\.$age < 3) == "age < 3")
        #expect(words(\.$age <= 3) == "age <= 3")
        #expect(words(\.$age > 3) == "age > 3")
        #expect(words(\.$age >= 3) == "age >= 3")
        #expect(words(\.$weight < 3.5) == "weight < 3.5")
        #expect(words(\.$weight <= 3.5) == "weight <= 3.5")
        #expect(words(\.$weight > 3.5) == "weight > 3.5")
        #expect(words(\.$weight >= 3.5) == "weight >= 3.5")
        let born = (\Person.$born < Date(timeIntervalSinceReferenceDate: 1)).predicate
        #expect(born == comparison("born", .less, .date(1)))
    }

    @Test(.pins("CLS-41")) func `the pattern match operator with the sequence on the left means IN`() {
        #expect(words([1, 2, 3] ~= \.$age) == "age IN {1, 2, 3}")
        #expect(words(["Rex", nil] ~= \.$nickname) == "nick_name IN {\"Rex\", nil}")
        #expect(words(1...3 ~= \.$age) == "age BETWEEN {1, 3}")
    }

    @Test(.pins("CLS-42")) func `unequal is one comparison, not a negation`() {
        #expect((\Dog.$age != 3).predicate == comparison("age", .notEqual, .integer(3)))
        #expect((\Dog.$nickname != nil).predicate == comparison("nick_name", .notEqual, .null))
        #expect((\Dog.$master != nil).predicate == comparison("master", .notEqual, .null))
    }

    @Test(.pins("CLS-43")) func `an order comparison with nil stays an order comparison with null`() {
        let nothing: Double? = nil
        #expect(words(\.$weight < nothing) == "weight < nil")
        #expect(words(\.$weight <= nil) == "weight <= nil")
        #expect(words(\.$weight > nil) == "weight > nil")
        #expect(words(\.$weight >= nil) == "weight >= nil")
    }

    @Test(.pins("CLS-44")) func `a to-one relationship is compared with objects, representations and nil`() {
        let badge = Badge(id: ClausesModel.annID)
        let noBadge: Badge? = nil
        #expect(words(\.$master == ClausesModel.ann) == "master == Person#1")
        #expect(words(\.$master == Optional(ClausesModel.ann)) == "master == Person#1")
        #expect(words(\.$master == badge) == "master == Person#1")
        #expect(words(\.$master == noBadge) == "master == nil")
        #expect(words(\.$master == nil) == "master == nil")
        #expect(words(\.$master != ClausesModel.ann) == "master != Person#1")
        #expect(words(\.$master != badge) == "master != Person#1")
        #expect(words(\.$master != nil) == "master != nil")
        #expect(words([ClausesModel.ann, ClausesModel.ben] ~= \.$master) == "master IN {Person#1, Person#2}")
    }

    @Test(.pins("CLS-44")) func `an object represents itself`() {
        let representation: any ObjectRepresentation = ClausesModel.ann
        #expect(representation.objectID() == ClausesModel.annID)
    }

    @Test(.pins("CLS-45")) func `in a closure the operators accept any stored field`() {
        let clauses: [(Dog) -> Where<Dog>] = [
            { $0.$age == 3 }, { $0.$age != 3 }, { $0.$age < 3 }, { $0.$age > 3 }, { $0.$age <= 3 },
            { $0.$age >= 3 }, { [1, 2] ~= $0.$age }, { $0.$mood > .calm }, { $0.$weight < nil },
        ]
        #expect(
            clauses.map { words(Where($0)) } == [
                "age == 3", "age != 3", "age < 3", "age > 3", "age <= 3", "age >= 3", "age IN {1, 2}",
                "mood > \"calm\"", "weight < nil",
            ]
        )
    }
}
