import CofferClauses
import CofferSchema
import CofferStorage
import CofferStorageTools
import Foundation
import TestSupport
import Testing

struct WhereTests {
    private let a = Where<Dog>("a", isEqualTo: 1)
    private let b = Where<Dog>("b", isEqualTo: 2)
    private let c = Where<Dog>("c", isEqualTo: 3)
    private let none: Where<Dog>? = nil

    @Test(.pins("CLS-20")) func `Where() and Where(true) match everything, Where(false) nothing`() {
        #expect(Where<Dog>().predicate == .constant(true))
        #expect(Where<Dog>(true) == Where<Dog>())
        #expect(Where<Dog>(false).predicate == .constant(false))
        #expect(Where<Dog>(a) == a)
    }

    @Test(.pins("CLS-21")) func `operators nest conditions in pairs`() {
        let (a, b, c) = (a.predicate, b.predicate, c.predicate)
        #expect((self.a && self.b && self.c).predicate == .and([.and([a, b]), c]))
        #expect((self.a || self.b || self.c).predicate == .or([.or([a, b]), c]))
        #expect((!self.a).predicate == .not(a))
        #expect((self.a || self.b && self.c).predicate == .or([a, .and([b, c])]))
        #expect("\((self.a || self.b) && !self.c)" == "Where<Dog>(predicate: (a == 1 OR b == 2) AND NOT (c == 3))")
    }

    @Test(.pins("CLS-22")) func `the question-mark operators return the other operand if one operand is nil`() {
        #expect((a &&? none) == a)
        #expect((none &&? a) == a)
        #expect((a &&? Optional(b)) == (a && b))
        #expect((Optional(a) &&? b) == (a && b))
        #expect((a ||? none) == a)
        #expect((none ||? a) == a)
        #expect((a ||? Optional(b)) == (a || b))
        #expect((Optional(a) ||? b) == (a || b))
    }

    @Test(.pins("CLS-22")) func `the question-mark or binds as tightly as and`() {
        #expect((a ||? Optional(b) && c) == ((a || b) && c))
    }

    @Test(.pins("CLS-23")) func `a sequence of conditions is combined on one level`() {
        let parts = [a.predicate, b.predicate, c.predicate]
        #expect([a, b, c].combinedByAnd().predicate == .and(parts))
        #expect([a, b, c].combinedByOr().predicate == .or(parts))
    }

    @Test(.pins("CLS-23")) func `an empty sequence combined by and is always true, and by or always false`() {
        #expect([Where<Dog>]().combinedByAnd().predicate.description == "TRUEPREDICATE")
        #expect([Where<Dog>]().combinedByOr().predicate.description == "FALSEPREDICATE")
    }

    @Test(.pins("CLS-24")) func `nil, an optional holding nil, NSNull and Void? compare with null`() {
        let expected = comparison("nick_name", .equal, .null)
        let value: String? = nil
        let void: Void? = nil
        #expect(Where<Dog>("nick_name", isEqualTo: nil).predicate == expected)
        #expect(Where<Dog>("nick_name", isEqualTo: value).predicate == expected)
        #expect(Where<Dog>("nick_name", isEqualTo: NSNull()).predicate == expected)
        #expect(Where<Dog>("nick_name", isEqualTo: void).predicate == expected)
        #expect(Where<Dog>(\.$nickname, isEqualTo: nil).predicate == expected)
        #expect(Where<Dog>(\.$nickname, isEqualTo: value).predicate == expected)
        #expect(Where<Dog>(\.$nickname, isEqualTo: void).predicate == expected)
        #expect(Where<Dog>(\.$master, isEqualTo: nil).predicate == comparison("master", .equal, .null))
        #expect(Where<Dog>(\.$master, isEqualTo: void).predicate == comparison("master", .equal, .null))
        #expect(expected.description == "nick_name == nil")
    }

    @Test(.pins("CLS-24")) func `a field that is not optional can be compared with an optional`() {
        let (three, none, name): (Int?, Int?, String?) = (3, nil, "Rex")
        let keyPaths: [Where<Dog>] = [\.$age == three, \.$age == none, \.$age != three, \.$age != none]
        let fields: [Where<Dog>] = [
            Where { $0.$age == three }, Where { $0.$age == none }, Where { $0.$age != three },
            Where { $0.$age != none },
        ]
        let expected = [
            comparison("age", .equal, .integer(3)), comparison("age", .equal, .null),
            comparison("age", .notEqual, .integer(3)), comparison("age", .notEqual, .null),
        ]
        // The compiler finds the type of each of these chains alone, in a short time.
        let chains: [Where<Dog>] = [
            \.$age == three && \.$mood == .calm && \.$age == 4 && \.$age == 5 && \.$age == 6,
            \.$age == three || \.$nickname == name || \.$nickname != name || \.$age != three,
            \.$age == nil && \.$age >= 3 && \.$age < 5 && \.$nickname != nil && \.$weight != nil,
        ]
        #expect(chains.map(\.predicate.flatParts.count) == [5, 4, 5])
        #expect(keyPaths.map(\.predicate) == expected)
        #expect(fields.map(\.predicate) == expected)
    }

    @Test(.pins("CLS-25")) func `isMemberOf compares a field with a list of values`() {
        #expect(Where<Dog>("age", isMemberOf: [1, 2]).predicate == isIn("age", [.integer(1), .integer(2)]))
        #expect(Where<Dog>("age", isMemberOf: 1...2).predicate == isIn("age", [.integer(1), .integer(2)]))
        #expect(Where<Dog>(\.$mood, isMemberOf: [.angry]).predicate == isIn("mood", [.text("angry")]))
        let names = isIn("nick_name", [.text("Rex"), .null])
        #expect(Where<Dog>(\.$nickname, isMemberOf: ["Rex", nil]).predicate == names)
        #expect(Where<Dog>("nick_name", isMemberOf: [NSNull()]).predicate == isIn("nick_name", [.null]))
        #expect(Where<Dog>("age", isMemberOf: [Int]()).predicate.description == "age IN {}")
    }

    @Test(.pins("CLS-26")) func `objects are compared by their ids`() {
        let (ann, ben) = (Value.object(ClausesModel.annID), Value.object(ClausesModel.benID))
        let isAnn = comparison("master", .equal, ann)
        #expect(Where<Dog>("master", isEqualTo: ClausesModel.ann).predicate == isAnn)
        #expect(Where<Dog>("master", isEqualTo: ClausesModel.annID).predicate == isAnn)
        #expect(Where<Dog>(\.$master, isEqualTo: ClausesModel.ann).predicate == isAnn)
        #expect(Where<Dog>("master", isEqualTo: Person?.none).predicate == comparison("master", .equal, .null))

        let isOne = isIn("master", [ann, ben])
        #expect(Where<Dog>("master", isMemberOf: [ClausesModel.ann, ClausesModel.ben]).predicate == isOne)
        #expect(Where<Dog>("master", isMemberOf: [ClausesModel.annID, ClausesModel.benID]).predicate == isOne)
        #expect(Where<Dog>(\.$master, isMemberOf: [ClausesModel.ann, ClausesModel.ben]).predicate == isOne)
        #expect(Where<Dog>(\.$master, isMemberOf: [ClausesModel.annID, ClausesModel.benID]).predicate == isOne)
        #expect(isOne.description == "master IN {Person#1, Person#2}")
    }

    @Test(.pins("CLS-27")) func `a format string equals the condition that operators create`() {
        let pairs: [(Where<Dog>, Where<Dog>)] = [
            (Where("age == 10"), \.$age == 10), (Where("%K == %@", "age", 10), \.$age == 10),
            (Where("%K == %d", "age", 10), \.$age == 10), (Where("nick_name = %s", "Rex"), \.$nickname == "Rex"),
            (Where("nick_name == nil"), \.$nickname == nil), (Where("age IN %@", [1, 2]), [1, 2] ~= \.$age),
            (Where("age >= 1 AND age < 2"), \.$age >= 1 && \.$age < 2), (Where("NOT age > 1"), !(\.$age > 1)),
            (Where("master == %@", ClausesModel.ann), \.$master == ClausesModel.ann),
            (Where("master.name != %@", "Ann"), (\.$master ~ \.$name) != "Ann"),
            (Where("friends.@count == 3"), (\Dog.$friends).count() == 3),
            (Where("ANY friends.age > 10"), (\Dog.$friends ~ \.$age).any() > 10),
            (Where("ALL friends.age > 10"), (\Dog.$friends ~ \.$age).all() > 10),
            (Where("NONE friends.age > 10"), (\Dog.$friends ~ \.$age).none() > 10),
            (Where("%K == %@", argumentArray: ["age", NSNumber(value: 10)]), \.$age == 10),
            (Where("TRUEPREDICATE"), Where()),
        ]
        for (format, written) in pairs { #expect(format == written) }
    }

    @Test(.pins("CLS-07")) func `a chain accepts format strings`() {
        let chain = From<Dog>().where(format: "age > %d", 3)
        #expect(chain.conditions == ["age > 3"])
        #expect(From<Dog>().where(format: "age > %@", argumentArray: [3]).conditions == chain.conditions)
        #expect(From<Dog>().orderBy(.ascending(\.$age)).where(format: "age > 3").conditions == chain.conditions)
    }

    @Test(.pins("CLS-27")) func `an invalid format string creates an invalid condition with the reason`() {
        guard case .invalid(let reason) = Where<Dog>("age >").predicate else {
            Issue.record("The condition is valid.")
            return
        }
        #expect(reason == "The format string 'age >' is wrong at column 6: expected a value, found the end.")
        #expect(Where<Dog>("age >") == Where<Dog>("age >"))
    }

    @Test(.pins("CLS-28")) func `an object converts to a value`() {
        #expect(Value(native: ClausesModel.ann) == .object(ClausesModel.annID))
    }

    @Test(.pins("CLS-29")) func `conditions are equal if their structure, number values and value kinds are equal`() {
        #expect((\Dog.$age == 10) == Where<Dog>("age", isEqualTo: 10))
        #expect((\Dog.$age == 10) == Where<Dog>("age", isEqualTo: NSNumber(value: 10)))
        #expect((\Dog.$age == 10) == Where<Dog>(comparison("age", .equal, .integer(10))))
        #expect((\Dog.$age == 10) != (\Dog.$age == 11))
        #expect(Set([\Dog.$age == 10, Where<Dog>("age", isEqualTo: Int16(10))]).count == 1)
        #expect(Where<Dog>("key", isEqualTo: Int64.max) == Where<Dog>("key", isEqualTo: NSNumber(value: Int64.max)))
        #expect(Where<Dog>("key", isEqualTo: "value") == Where<Dog>("key", isEqualTo: NSString("value")))
    }

    @Test(.pins("CLS-27", "CLS-29")) func `an argument creates the same condition in every spelling`() {
        func expectEqual(_ clauses: Where<Dog>..., location: SourceLocation = #_sourceLocation) {
            for clause in clauses { #expect(clause == clauses[0], sourceLocation: location) }
            #expect(Set(clauses).count == 1, sourceLocation: location)
        }
        for number in [100, Int.max, Int.min] {
            let native = NSNumber(value: number)
            expectEqual(
                Where("key", isEqualTo: number), Where("key", isEqualTo: native), Where("%K == %d", "key", number),
                Where("%K == %d", "key", native), Where("%K == %@", "key", number), Where("%K == %@", "key", native),
                Where("%K == %@", argumentArray: ["key", native]), Where("%K == %d", "key", Int64(number)))
        }
        let (text, native) = ("value", NSString(string: "value"))
        expectEqual(
            Where("key", isEqualTo: text), Where("key", isEqualTo: native), Where("%K == %s", "key", text),
            Where("%K == %s", "key", native), Where("%K == %@", "key", text), Where("%K == %@", "key", native),
            Where("%K == %s", argumentArray: ["key", text]), Where("key == 'value'"))
        let numbers = [Int64.min, 100, Int64.max]
        expectEqual(
            Where("key", isMemberOf: numbers), Where("%K IN %@", "key", numbers),
            Where("%K IN %@", "key", NSArray(array: numbers)),
            Where("%K IN %@", "key", numbers.map { NSNumber(value: $0) }))
        let day = Date(timeIntervalSinceReferenceDate: 1.5)
        #expect(Where<Person>("%K == %@", "born", day) == Where<Person>(\.$born == day))
        expectEqual(\.$weight == 2.5, Where("%K == %@", "weight", 2.5), Where("weight == 2.5"))
        expectEqual(\.$nickname == nil, Where("%K == %@", "nick_name", NSNull()), Where("nick_name == nil"))
    }

    @Test(.pins("CLS-27", "CLS-29")) func `an argument that was cast to AnyObject creates the same condition`() {
        let clauses: [Where<Dog>] = [
            Where("key", isEqualTo: 100), Where("%K == %d", "key", 100 as AnyObject),
            Where("%K == %@", "key", 100 as AnyObject),
        ]
        #expect(Set(clauses).count == 1)
        #expect(Where<Dog>("%K == %s", "key", "value" as AnyObject) == Where("key", isEqualTo: "value"))
        #expect(Where<Dog>("%K IN %@", "key", [1, 2] as AnyObject) == Where("key", isMemberOf: [1, 2]))
    }

    @Test(.pins("CLS-30")) func `conditions on a class and its superclass combine in both orders`() {
        let dogs = From<Dog>().where(\Animal.$species == "Dog" && \Dog.$age == 10)
        let mirrored = From<Dog>().where(\Dog.$age == 10 && \Animal.$species == "Dog")
        let either = From<Animal>().where(\Animal.$species == "Cat" || \Dog.$age == 10)
        let eitherMirrored = From<Dog>().where(\Animal.$species == "Cat" || \Dog.$age == 10)
        #expect(dogs.conditions == ["species == \"Dog\" AND age == 10"])
        #expect(mirrored.conditions == ["age == 10 AND species == \"Dog\""])
        #expect(either.conditions == ["species == \"Cat\" OR age == 10"])
        #expect(eitherMirrored.conditions == either.conditions)
        #expect(From<Dog>().where(\Animal.$species == "Dog" && \.$age == 10).conditions == dogs.conditions)
    }

    @Test(.pins("CLS-31")) func `a closure can use the fields of an object, including inherited fields`() {
        let clause = Where<Dog>({ $0.$age > 10 && $0.$age <= 15 })
        #expect(clause.predicate.description == "age > 10 AND age <= 15")
        let mixed: [Where<Dog>] = [
            Where({ $0.$species == "Dog" && $0.$age == 10 }), Where({ $0.$age == 10 && $0.$species == "Dog" }),
        ]
        #expect(
            mixed.map(\.predicate.description)
                == ["species == \"Dog\" AND age == 10", "age == 10 AND species == \"Dog\""]
        )
        let inherited = From<Dog>().where { $0.$species == "Dog" && $0.$age > 10 }
        #expect(inherited.conditions == ["species == \"Dog\" AND age > 10"])
    }

    @Test func `a condition is applied to a request`() {
        let request = FetchRequest(entityName: "Dog")
        a.applyToFetchRequest(request)
        #expect(request.predicate == a.predicate)
    }
}

extension FetchChainBuilder {
    /// The descriptions of the chain's conditions.
    var conditions: [String] {
        fetchClauses.compactMap { ($0 as? any AnyWhereClause)?.predicate.description }
    }
}
