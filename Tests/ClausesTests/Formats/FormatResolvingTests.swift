import CofferClauses
import CofferStorage
import Foundation
import Testing

/// Format strings as conditions of requests.
struct FormatResolvingTests {
    private let model: Resolving
    private let name: RowExpression
    private let age: RowExpression

    init() throws {
        model = try Resolving()
        name = try model.column("nick_name", of: model.dog, .text)
        age = try model.column("age", of: model.dog, .integer)
    }

    @Test(arguments: [
        ("Re", "Rf"), ("R\u{7f}", "R\u{80}"), ("\u{D7FF}", "\u{E000}"), ("a\u{10FFFF}", "b"),
    ])
    func `a prefix becomes two bounds that an index can use`(_ prefix: String, _ next: String) throws {
        let condition = try model.resolve(Where("nick_name BEGINSWITH %@", prefix))
        #expect(
            condition
                == .and([
                    .compare(name, .greaterOrEqual, .value(.text(prefix))), .compare(name, .less, .value(.text(next))),
                ])
        )
    }

    @Test func `the highest prefix has only a lower bound, and an empty prefix is false`() throws {
        let last = "\u{10FFFF}"
        #expect(
            try model.resolve(Where("nick_name BEGINSWITH %@", last))
                == .compare(name, .greaterOrEqual, .value(.text(last)))
        )
        #expect(try model.resolve(Where("nick_name BEGINSWITH ''")) == .constant(false))
    }

    @Test func `text options without an effect are dropped`() throws {
        let plain = RowPredicate.text(name, .contains, .value(.text("e")), [])
        #expect(try model.resolve(Where("nick_name CONTAINS 'e'")) == plain)
        #expect(try model.resolve(Where("nick_name CONTAINS[cn] 'e'")) == plain)
        #expect(
            try model.resolve(Where("nick_name CONTAINS[c] 'e'"))
                == .text(name, .contains, .value(.text("e")), .caseInsensitive)
        )
    }

    @Test func `a list member by position is refused, also within a path`() {
        let message = "invalidRequest: A member of a collection by its position is not supported by stores."
        #expect(model.refusal(Where("friends[FIRST] == nil")) == message)
        #expect(model.refusal(Where("friends[0].age == 3")) == message)
        #expect(
            model.refusal(Where("friends[SIZE].age == 3"))
                == "invalidRequest: The path 'age' must start at an object.")
    }

    @Test func `constant expressions are replaced by their value`() throws {
        #expect(try model.resolve(Where("age > 2 + 3 * 4")) == .compare(age, .greater, .value(.integer(14))))
        #expect(
            try model.resolve(Where("nick_name == uppercase:('rex')")) == .compare(name, .equal, .value(.text("REX")))
        )
    }

    @Test func `now is the same instant in the whole condition`() throws {
        guard case .compare(.value(let first), _, .value(let second)) = try model.resolve(Where("now() == now()"))
        else {
            Issue.record("The condition is not a comparison of two values.")
            return
        }
        #expect(first == second)
        guard case .date = first else {
            Issue.record("The first value is not a date.")
            return
        }
    }

    @Test func `a bare key in a subquery is an attribute of the enclosing object`() throws {
        let friends = try model.relationship("friends", of: model.dog)
        let count = RowExpression.aggregate(
            .count, .key, from: [], relationship: friends, where: .compare(age, .less, .outer(age))
        )
        #expect(
            try model.resolve(Where("SUBQUERY(friends, $f, $f.age < age).@count > 1"))
                == .compare(count, .greater, .value(.integer(1)))
        )
    }

    @Test func `a value is compared with each value of a to-many path`() throws {
        let friends = try model.relationship("friends", of: model.dog)
        let isOlder = RowPredicate.some(from: [], relationship: friends, .compare(age, .greater, .outer(age)))
        #expect(try model.resolve(Where("ANY friends.age > age")) == isOlder)
        #expect(try model.resolve(Where("age < friends.age")) == isOlder)
    }

    @Test(arguments: [
        (
            "SUBQUERY(friends.friends, $f, TRUEPREDICATE).@count == 1",
            "'Dog.friends.friends' must end with a to-many relationship, and must not contain another."
        ),
        (
            "SUBQUERY(age, $f, TRUEPREDICATE).@count == 1",
            "'Dog.age' must end with a to-many relationship, and must not contain another."
        ),
        (
            "SUBQUERY(friends, $f, SUBQUERY(friends, $g, TRUEPREDICATE).@count > 0).@count == 1",
            "A nested SUBQUERY must use a relationship of its own object."
        ),
        (
            "SUBQUERY(friends, $f, friends.age > 3).@count == 1",
            "'Dog.friends.age' has many values, but belongs to an object outside of the SUBQUERY."
        ),
        ("friends.age + friends.age > 3", "'add' has two arguments with many values. At most one is allowed."),
        (
            "TERNARY(age > 1, age, nick_name) == 1",
            "Both results of TERNARY must have the same type and must not be objects."
        ),
        ("friends.@sum.friends == 1", "'friends.@sum.friends' must end with an attribute of one object."),
        ("nick_name IN age", "'nick_name IN age' needs a list of values on its right side."),
        ("born == now()", "'Dog' has no property 'born'."),
    ])
    func `a condition that a store cannot evaluate is refused with the reason`(_ format: String, _ reason: String) {
        #expect(model.refusal(Where(format))?.contains(reason) == true, "\(model.refusal(Where(format)) ?? "nothing")")
    }
}
