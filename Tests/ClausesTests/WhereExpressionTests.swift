import CofferClauses
import CofferSchema
import CofferStorage
import CofferStorageTools
import Foundation
import TestSupport
import Testing

struct WhereExpressionTests {
    @Test(.pins("CLS-50")) func `a path can go through to-one relationships`() {
        #expect((\Person.$spouse ~ \.$name == "x").predicate == comparison("spouse.name", .equal, .text("x")))
        #expect((\Dog.$master ~ \.$spouse ~ \.$name).description == "master.spouse.name")
        #expect((\Dog.$master ~ \.$spouse ~ \.$city ~ \.$name).description == "master.spouse.city.name")
    }

    @Test(.pins("CLS-50")) func `a to-many step creates an expression of many values`() {
        let pets: Where<Dog>.Expression<Where<Dog>.CollectionTarget, Dog> = \Dog.$master ~ \.$pets
        let ages: Where<Dog>.Expression<Where<Dog>.CollectionTarget, Int> = \Dog.$master ~ \.$pets ~ \.$age
        let friends: Where<Dog>.Expression<Where<Dog>.CollectionTarget, String?> = \Dog.$friends ~ \.$nickname
        #expect(pets.description == "master.pets")
        #expect(ages.description == "master.pets.age")
        #expect(friends.description == "friends.nick_name")
    }

    @Test(.pins("CLS-50")) func `a path binds more tightly than a comparison`() {
        let clause: Where<Dog> = \.$master ~ \.$name == "Ann" && \.$age > 3
        #expect(clause.predicate.description == "master.name == \"Ann\" AND age > 3")
    }

    @Test(.pins("CLS-51")) func `count, any, all and none create conditions on to-many paths`() {
        let ages = \Dog.$friends ~ \.$age
        let pets = \Dog.$master ~ \.$pets
        #expect(((\Dog.$friends).count() == 3).predicate == comparison("friends.@count", .equal, .integer(3)))
        #expect((pets.count() > 1).predicate == comparison("master.pets.@count", .greater, .integer(1)))
        #expect((ages.any() > 10).predicate == comparison("friends.age", .greater, .integer(10), .any))
        #expect((ages.all() > 10).predicate == comparison("friends.age", .greater, .integer(10), .all))
        #expect((ages.none() > 10).predicate == comparison("friends.age", .greater, .integer(10), .none))
        #expect(([1, 2] ~= ages.any()).predicate == isIn("friends.age", [.integer(1), .integer(2)], .any))
    }

    @Test(.pins("CLS-52")) func `the key path string contains the collection function`() {
        let ages = \Dog.$friends ~ \.$age
        #expect((\Dog.$friends).count().cs_keyPathString == "friends.@count")
        #expect(ages.any().cs_keyPathString == "ANY friends.age")
        #expect(ages.all().description == "ALL friends.age")
        #expect("\(ages.none())" == "NONE friends.age")
        #expect((ages.any() > 10).predicate.description == "ANY friends.age > 10")
    }

    @Test(.pins("SCH-07")) func `a path expression converts to a key path string`() {
        #expect(String(keyPath: \Dog.$master ~ \.$name) == "master.name")
        #expect(String(keyPath: (\Person.$pets).count()) == "pets.@count")
    }

    @Test(.pins("CLS-54")) func `operators compare a path with values`() {
        let name = \Dog.$master ~ \.$name
        #expect((name == "x").predicate.description == "master.name == \"x\"")
        #expect((name != "x").predicate.description == "master.name != \"x\"")
        #expect((name < "x").predicate.description == "master.name < \"x\"")
        #expect((name <= "x").predicate.description == "master.name <= \"x\"")
        #expect((name > "x").predicate.description == "master.name > \"x\"")
        #expect((name >= "x").predicate.description == "master.name >= \"x\"")
        #expect((["x", "y"] ~= name).predicate.description == "master.name IN {\"x\", \"y\"}")
    }

    @Test(.pins("CLS-54")) func `operators compare a path with optional values`() {
        let born = \Dog.$master ~ \.$born
        let date = Date(timeIntervalSinceReferenceDate: 0)
        let none: Date? = nil
        func tree(_ relation: QueryComparison.Relation, _ value: Value = .date(0)) -> QueryPredicate {
            comparison("master.born", relation, value)
        }
        #expect((born == date).predicate == tree(.equal))
        #expect((born == none).predicate == tree(.equal, .null))
        #expect((born == nil).predicate == tree(.equal, .null))
        #expect((born != date).predicate == tree(.notEqual))
        #expect((born != nil).predicate == tree(.notEqual, .null))
        #expect((born < date).predicate == tree(.less))
        #expect((born <= date).predicate == tree(.lessOrEqual))
        #expect((born <= none).predicate == tree(.lessOrEqual, .null))
        #expect((born > date).predicate == tree(.greater))
        #expect((born >= none).predicate == tree(.greaterOrEqual, .null))
        #expect(([date] ~= born).predicate == isIn("master.born", [.date(0)]))
    }

    @Test(.pins("CLS-42")) func `unequal compares each of many values, as in format strings`() {
        let ages = \Dog.$friends ~ \.$age
        #expect((ages.any() != 3) == Where("ANY friends.age != 3"))
        #expect((ages.all() != 3) == Where("ALL friends.age != 3"))
        #expect((ages.none() != 3) == Where("NONE friends.age != 3"))
        #expect((ages != 3) == Where("friends.age != 3"))
        #expect((ages.all() != \Dog.$age) == Where("ALL friends.age != age"))
        #expect(((\Dog.$friends ~ \.$nickname).all() != "x") == Where("ALL friends.nick_name != 'x'"))
        let masters = \Dog.$friends ~ \.$master
        #expect((masters.all() != ClausesModel.ann) == Where("ALL friends.master != %@", ClausesModel.ann))
        #expect((masters.any() != ClausesModel.annID) == Where("ANY friends.master != %@", ClausesModel.annID))
        #expect(((\Dog.$friends).count() != 3).predicate == comparison("friends.@count", .notEqual, .integer(3)))
    }

    @Test(.pins("CLS-55")) func `a to-many step can follow a to-one step to another class`() {
        let people = \Dog.$master ~ \.$city ~ \.$people
        #expect((people.count() > 2).predicate.description == "master.city.people.@count > 2")
        #expect(((people ~ \.$name).any() == "Ann").predicate.description == "ANY master.city.people.name == \"Ann\"")
    }
}
