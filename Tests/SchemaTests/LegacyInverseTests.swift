import Coffer
import TestSupport
import Testing

@available(*, deprecated)
private final class Left: CoreStoreObject {
    let oneOne = Relationship.ToOne<Right>("oneOne", inverse: { $0.oneOne })
    let oneRow = Relationship.ToOne<Right>("oneRow", inverse: { $0.rowOne })
    let oneSet = Relationship.ToOne<Right>("oneSet", inverse: { $0.setOne })
    let rowOne = Relationship.ToManyOrdered<Right>("rowOne", inverse: { $0.oneRow })
    let rowRow = Relationship.ToManyOrdered<Right>("rowRow", inverse: { $0.rowRow })
    let rowSet = Relationship.ToManyOrdered<Right>("rowSet", inverse: { $0.setRow })
    let setOne = Relationship.ToManyUnordered<Right>("setOne", inverse: { $0.oneSet })
    let setRow = Relationship.ToManyUnordered<Right>("setRow", inverse: { $0.rowSet })
    let setSet = Relationship.ToManyUnordered<Right>("setSet", inverse: { $0.setSet })
}

@available(*, deprecated)
private final class Right: CoreStoreObject {
    let number = Value.Required<Int>("number", initial: 0)
    let oneOne = Relationship.ToOne<Left>("oneOne")
    let oneRow = Relationship.ToOne<Left>("oneRow")
    let oneSet = Relationship.ToOne<Left>("oneSet")
    let rowOne = Relationship.ToManyOrdered<Left>("rowOne")
    let rowRow = Relationship.ToManyOrdered<Left>("rowRow")
    let rowSet = Relationship.ToManyOrdered<Left>("rowSet")
    let setOne = Relationship.ToManyUnordered<Left>("setOne")
    let setRow = Relationship.ToManyUnordered<Left>("setRow")
    let setSet = Relationship.ToManyUnordered<Left>("setSet")
}

/// Relationships of the declarations that `Field` replaced.
@MainActor
struct LegacyInverseTests {
    @available(*, deprecated)
    @Test(.pins("LEG-01"), arguments: TestBackend.allCases)
    func `every kind of relationship has an inverse of every kind`(_ backend: TestBackend) throws {
        let schema = CoreStoreSchema(
            modelVersion: "V1", entities: [Entity<Left>("OldLeft"), Entity<Right>("OldRight")])
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { transaction in
            let left = transaction.create(Into<Left>())
            let (one, two) = (transaction.create(Into<Right>()), transaction.create(Into<Right>()))
            (one.number.value, two.number.value) = (1, 2)
            left.oneOne.value = one
            left.oneRow.value = one
            left.oneSet.value = one
            left.rowOne.value = [two, one]
            left.rowRow.value = [two, one]
            left.rowSet.value = [two, one]
            left.setOne.value = [one, two]
            left.setRow.value = [one, two]
            left.setSet.value = [one, two]
        })
        let left = try #require(try test.stack.fetchOne(From<Left>()))
        let rights = try test.stack.fetchAll(From<Right>().orderBy(.ascending(\.number)))
        try #require(rights.count == 2)
        #expect(left.oneOne.value == rights[0])
        #expect(left.oneRow.value == rights[0])
        #expect(left.oneSet.value == rights[0])
        #expect(rights.map(\.oneOne.value) == [left, nil])
        #expect(rights.map(\.rowOne.value) == [[left], []])
        #expect(rights.map(\.setOne.value) == [[left], []])
        for row in [left.rowOne.value, left.rowRow.value, left.rowSet.value] { #expect(row == [rights[1], rights[0]]) }
        for set in [left.setOne.value, left.setRow.value, left.setSet.value] { #expect(set == Set(rights)) }
        for right in rights {
            #expect(right.oneRow.value == left)
            #expect(right.oneSet.value == left)
            #expect(right.rowRow.value == [left])
            #expect(right.rowSet.value == [left])
            #expect(right.setRow.value == [left])
            #expect(right.setSet.value == [left])
        }
    }
}
