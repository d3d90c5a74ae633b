import CofferClauses
import CofferSchema
import CofferStorage
import CofferStorageTools
import Foundation
import Testing

/// The model of the kennel and a resolver for its requests.
struct Resolving {
    let layout: ModelLayout
    let resolver: RequestResolver

    init() throws {
        layout = ClausesModel.schema._binding().layout
        var keySpaces: [Int: KeySpace] = [:]
        for entity in layout.entities where entity.root == entity.index {
            keySpaces[entity.index] = KeySpace(store: ClausesModel.store, entityName: entity.name)
        }
        resolver = RequestResolver(layout: layout, keySpaces: keySpaces)
    }

    var dog: Int { get throws { try #require(layout.index(of: "Dog")) } }
    var person: Int { get throws { try #require(layout.index(of: "Person")) } }

    func column(_ name: String, of entity: Int, _ kind: ColumnKind) throws -> RowExpression {
        .column(slot: try #require(layout.entities[entity].slot(named: name)), kind: kind)
    }

    func relationship(_ name: String, of entity: Int) throws -> Int {
        try #require(layout.entities[entity].relationship(named: name))
    }

    func resolve(_ clause: Where<Dog>) throws(StorageError) -> RowPredicate {
        try resolver.resolve(clause.predicate, entity: layout.index(of: "Dog") ?? 0)
    }

    /// Returns the error message for a condition; nil if the condition is not refused.
    func refusal(_ clause: Where<Dog>) -> String? {
        do throws(StorageError) {
            _ = try resolve(clause)
            return nil
        } catch {
            return error.description
        }
    }
}

struct RequestResolverTests {
    private let model: Resolving

    init() throws {
        model = try Resolving()
    }

    @Test func `an unknown key is refused with the nearest key as a suggestion`() {
        #expect(
            model.refusal(Where("nickname", isEqualTo: "Rex"))
                == "invalidRequest: 'Dog' has no property 'nickname'. Did you mean 'nick_name'?"
        )
        #expect(
            model.refusal(Where("master.nmae", isEqualTo: "Ann"))
                == "invalidRequest: 'Person' has no property 'nmae' (in 'master.nmae'). Did you mean 'name'?"
        )
    }

    @Test func `an unknown key without a similar key is refused with a list of all keys`() {
        #expect(
            model.refusal(Where("master.city.zzzzzzzz", isEqualTo: 1))
                == "invalidRequest: 'City' has no property 'zzzzzzzz' (in 'master.city.zzzzzzzz'). "
                + "It has 'name', 'people'."
        )
    }

    @Test func `an unknown key in an order is refused`() throws {
        #expect(throws: StorageError.self) {
            try model.resolver.resolve([QuerySortDescriptor(key: "agee", ascending: true)], entity: model.dog)
        }
    }

    @Test func `a value of another type is refused`() {
        #expect(
            model.refusal(Where("age", isEqualTo: "three"))
                == "invalidRequest: 'Dog.age == …' compares an integer with a string. Use a value of the property's "
                + "type."
        )
        #expect(
            model.refusal(Where("master.name", isMemberOf: [1, 2]))
                == "invalidRequest: 'Dog.master.name IN …' compares a string with an integer. "
                + "Use a value of the property's type."
        )
        #expect(
            model.refusal(Where("master", isEqualTo: 1))
                == "invalidRequest: 'Dog.master == …' compares an object with an integer. "
                + "Use a value of the property's type."
        )
    }

    @Test func `a comparison of objects of different root entities is refused`() {
        let message = "compares objects of 'Animal' with objects of 'Person', which are never the same."
        #expect(model.refusal(Where("SELF == master")) == "invalidRequest: 'SELF == Dog.master' \(message)")
        #expect(model.refusal(Where("SELF IN {master, nil}")) == "invalidRequest: 'SELF IN Dog.master' \(message)")
        #expect(
            model.refusal(Where("ANY friends != master")) == "invalidRequest: 'Dog.friends != Dog.master' \(message)")
        #expect(model.refusal(Where("master.pets CONTAINS SELF")) == nil)
    }

    @Test func `NaN is refused in every part of a condition`() {
        let message = "invalidRequest: NaN cannot be used in comparisons or computations. A missing value equals nil."
        let nan: QueryExpression = .value(.double(.nan))
        let clauses: [Where<Dog>] = [
            Where("age", isEqualTo: Double.nan), !Where("age", isEqualTo: Decimal.nan), \.$weight != .nan,
            [1, .nan] ~= \.$weight, \.$weight + .nan > 1,
            Where(.comparison(QueryComparison(.keyPath("weight"), .between, .list([nan, .keyPath("age")])))),
        ]
        for clause in clauses { #expect(model.refusal(clause) == message) }
        #expect(model.refusal(\.$weight < .infinity) == nil)
    }

    @Test func `a path has at most 64 names`() {
        let path = { Array(repeating: "friends", count: $0).joined(separator: ".") + ".age" }
        #expect(model.refusal(Where("ANY \(path(63)) == 1")) == nil)
        #expect(
            model.refusal(Where(path(100_000), isEqualTo: 1))
                == "invalidRequest: The path 'friends.friends.friends.friends.…' has 100001 names. The limit is 64."
        )
        let order = QuerySortDescriptor(key: path(64), ascending: true)
        #expect(throws: StorageError.self) { try model.resolver.resolve([order], entity: model.dog) }
    }

    @Test func `conditions that one operator combines one by one are on one level`() throws {
        let age = try model.column("age", of: model.dog, .integer)
        let clauses = (0..<20_000).map { Where<Dog>(\.$age == $0) }
        let all = clauses.dropFirst().reduce(clauses[0], { $0 && $1 })
        let any = clauses.dropFirst().reduce(clauses[0], { $1 || $0 })
        let parts = (0..<20_000).map { RowPredicate.compare(age, .equal, .value(.integer($0))) }
        #expect(try model.resolve(all) == .and(parts))
        #expect(try model.resolve(any) == .or(parts.reversed()))
        #expect(
            try model.resolve(clauses[0] && (clauses[1] || clauses[2]) && clauses[3])
                == .and([parts[0], .or([parts[1], parts[2]]), parts[3]])
        )
    }

    @Test func `conditions and expressions built in a loop are refused if they nest too deeply`() {
        let message = "invalidRequest: " + QueryPredicate.tooDeep
        let (grown, small): (Where<Dog>, Where<Dog>) = (\.$age > 0, \.$age < 9)
        let level: (Where<Dog>, Int) -> Where<Dog> = { [{ $0 && small }, { $0 || small }, { !$0 }][$1 % 3]($0) }
        #expect(model.refusal((0..<95).reduce(grown, level)) == nil)
        #expect(model.refusal((0..<100_000).reduce(grown, level)) == message)
        let sum = (0..<5_000).reduce(\Dog.$age + 0) { total, _ in total + \Dog.$age }
        #expect(model.refusal(sum > 3) == message)

        var predicate = grown.predicate
        for _ in 0..<1_000 { predicate = .not(predicate) }
        #expect(model.refusal(Where(predicate)) == message)
        #expect(throws: StorageError.self) {
            try model.resolver.resolve(predicate, entity: model.dog)
        }
    }

    @Test func `numbers of different types can be compared`() throws {
        let age = try model.column("age", of: model.dog, .integer)
        #expect(try model.resolve(Where("age", isEqualTo: 1.5)) == .compare(age, .equal, .value(.double(1.5))))
        #expect(try model.resolve(Where("age", isEqualTo: true)) == .compare(age, .equal, .value(.boolean(true))))
    }

    @Test func `a path through an attribute is refused`() {
        #expect(
            model.refusal(Where("age.years", isEqualTo: 1))
                == "invalidRequest: 'Dog.age' is an attribute, so 'age.years' must end there."
        )
    }

    @Test func `a path of many values is refused as an order`() throws {
        let error = #expect(throws: StorageError.self) {
            try model.resolver.expression("friends.age", entity: model.dog)
        }
        #expect(
            error?.description == "invalidRequest: 'friends.age' has many values for one 'Dog'. "
                + "Use it in a condition with ANY, ALL or NONE, or count it with '@count'."
        )
    }

    @Test func `an order comparison of objects is refused`() {
        #expect(
            model.refusal(Where(comparison("master", .less, .object(ClausesModel.annID))))
                == "invalidRequest: 'master < Person#1' orders objects, which have no order. "
                + "Compare one of their properties."
        )
    }

    @Test func `IN without a list is refused`() {
        #expect(
            model.refusal(Where(comparison("age", .isIn, .integer(1))))
                == "invalidRequest: 'age IN 1' needs a list of values on its right side."
        )
    }

    @Test func `a path resolves through to-one relationships`() throws {
        let name = try model.column("name", of: model.person, .text)
        let path = RowExpression.through(
            relationship: try model.relationship("master", of: model.dog),
            .through(relationship: try model.relationship("spouse", of: model.person), name)
        )
        let clause: Where<Dog> = \.$master ~ \.$spouse ~ \.$name == "Ben"
        #expect(try model.resolve(clause) == .compare(path, .equal, .value(.text("Ben"))))
    }

    @Test func `ANY and NONE resolve to a search for some object, ALL to a search for an exception`() throws {
        let friends = try model.relationship("friends", of: model.dog)
        let condition = RowPredicate.compare(
            try model.column("age", of: model.dog, .integer), .greater, .value(.integer(3))
        )
        let ages = \Dog.$friends ~ \.$age
        let some = RowPredicate.some(from: [], relationship: friends, condition)
        #expect(try model.resolve(ages.any() > 3) == some)
        #expect(try model.resolve(ages.none() > 3) == .not(some))
        #expect(
            try model.resolve(ages.all() > 3)
                == .not(.some(from: [], relationship: friends, .not(condition)))
        )
    }

    @Test func `to-many relationships in a path resolve to nested conditions`() throws {
        let name = try model.column("nick_name", of: model.dog, .text)
        let clause: Where<Dog> = (\.$master ~ \.$spouse ~ \.$pets ~ \.$friends ~ \.$nickname).any() == "Rex"
        let from = [
            try model.relationship("master", of: model.dog), try model.relationship("spouse", of: model.person),
        ]
        #expect(
            try model.resolve(clause)
                == .some(
                    from: from, relationship: try model.relationship("pets", of: model.person),
                    .some(
                        from: [], relationship: try model.relationship("friends", of: model.dog),
                        .compare(name, .equal, .value(.text("Rex")))
                    )
                )
        )
    }

    @Test func `a count of related objects resolves to a value`() throws {
        let count = RowExpression.through(
            relationship: try model.relationship("master", of: model.dog),
            .count(relationship: try model.relationship("pets", of: model.person))
        )
        #expect(
            try model.resolve((\.$master ~ \.$pets).count() > 1) == .compare(count, .greater, .value(.integer(1)))
        )
    }

    @Test func `objects resolve to their keys, and objects of another store equal nothing`() throws {
        let master = try model.column("master", of: model.dog, .reference)
        let stranger = ObjectID(space: KeySpace(store: UUID(), entityName: "Person"), key: 1)
        #expect(try model.resolve(\.$master == ClausesModel.ann) == .compare(master, .equal, .value(.integer(1))))
        #expect(try model.resolve(Where("master", isEqualTo: stranger)) == .constant(false))
        #expect(try model.resolve(\.$master != Badge(id: stranger)) == .constant(true))
        #expect(
            try model.resolve(Where("master", isMemberOf: [stranger, ClausesModel.benID]))
                == .isIn(master, [.integer(2)])
        )
        #expect(try model.resolve(\.$master == nil) == .compare(master, .equal, .value(.null)))
    }

    @Test func `nulls in a list are left out`() throws {
        let name = try model.column("nick_name", of: model.dog, .text)
        #expect(try model.resolve(["Rex", nil] ~= \.$nickname) == .isIn(name, [.text("Rex")]))
    }

    /// A list of values that have the kind of the left side is not resolved value by value.
    ///
    /// A list of expressions is resolved expression by expression.
    @Test(arguments: ["age", "nick_name", "master.name", "master.pets.age", "master.pets.nick_name"])
    func `a list of values resolves like a list of equal expressions`(_ keyPath: String) {
        let lists: [[Value]] = [
            [], [.integer(1), .integer(2)], [.text("a"), .text("b")], [.integer(1), .null], [.text("a"), .null],
            [.integer(1), .text("a")], [.integer(1), .double(1.5)], [.null],
        ]
        let quantifiers: [QueryComparison.Quantifier] = [.one, .any, .all, .none]
        let allOptions: [TextOptions] = [[], .caseInsensitive]
        for list in lists {
            for quantifier in quantifiers {
                for options in allOptions {
                    func outcome(_ right: QueryExpression) -> String {
                        let comparison = QueryComparison(
                            .keyPath(keyPath), .isIn, right, quantifier: quantifier, options: options)
                        let clause = Where<Dog>(.comparison(comparison))
                        return model.refusal(clause) ?? (try? model.resolve(clause)).map { "\($0)" } ?? ""
                    }
                    let expected = outcome(.list(list.map { .value($0) }))
                    #expect(outcome(.values(list)) == expected, "\(quantifier) \(keyPath) in \(list), \(options)")
                }
            }
        }
    }

    @Test func `nested logical operators stay unchanged`() throws {
        let clause: Where<Dog> = !(Where(true) && Where(false) || Where(true))
        #expect(
            try model.resolve(clause)
                == .not(.or([.and([.constant(true), .constant(false)]), .constant(true)]))
        )
    }
}
