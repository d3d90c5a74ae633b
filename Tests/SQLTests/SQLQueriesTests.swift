import CofferSQL
import CofferStorage
import Testing

struct SQLQueriesTests {
    private let model = SQLTestModel()

    @Test func `a request without conditions returns rows in the order of the keys`() throws {
        let statement = try model.requests().rows(RowRequest(entity: model.club))
        #expect(
            statement.text == """
                SELECT t0."coffer_key", t0."coffer_version", t0."title" FROM "Club" t0 ORDER BY t0."coffer_key"
                """
        )
    }

    @Test func `rows of several entities include the name of their entity`() throws {
        let statement = try model.requests().rows(RowRequest(entity: model.animal, limit: 3))
        #expect(
            statement.text == """
                SELECT t0."coffer_key", t0."coffer_version", t0."coffer_entity", t0."name", t0."owner", \
                t0."owner position", t0."Dog.tricks" FROM "Animal" t0 ORDER BY t0."coffer_key" LIMIT ?
                """
        )
        #expect(statement.bindings == [.integer(3)])
    }

    @Test func `rows of one entity in a shared table are selected by the name of the entity`() throws {
        let statement = try model.requests().keys(RowRequest(entity: model.dog))
        #expect(
            statement.text == """
                SELECT t0."coffer_key" FROM "Animal" t0 WHERE t0."coffer_entity" = ? ORDER BY t0."coffer_key"
                """
        )
        #expect(statement.bindings == [.text("Dog")])
    }

    @Test func `every order ends with the key`() throws {
        let request = RowRequest(
            entity: model.club, order: [RowSort(model.title, ascending: false)], offset: 5, limit: 10
        )
        #expect(
            try model.requests().keys(request).text == """
                SELECT t0."coffer_key" FROM "Club" t0 ORDER BY t0."title" DESC, t0."coffer_key" LIMIT ? OFFSET ?
                """
        )
    }

    @Test func `a count with a limit or an offset counts the rows that would be returned`() throws {
        let statement = try model.requests().count(RowRequest(entity: model.club, offset: 5))
        #expect(statement.text == #"SELECT COUNT(*) FROM (SELECT 1 FROM "Club" t0 LIMIT ? OFFSET ?) t"#)
        #expect(statement.bindings == [.integer(-1), .integer(5)])
    }

    @Test func `related rows are ordered by owner, and by place within an owner`() throws {
        #expect(
            try model.requests().related(model.pets, count: 2) == """
                SELECT t0."coffer_key", t0."coffer_version", t0."coffer_entity", t0."name", t0."owner", \
                t0."owner position", t0."Dog.tricks" FROM "Animal" t0 WHERE t0."owner" IN (?, ?) \
                ORDER BY t0."owner", t0."owner position", t0."coffer_key"
                """
        )
        #expect(try model.requests().ownerSlot(model.pets) == 1)
    }

    @Test func `related rows of a link relationship are joined through the link table`() throws {
        #expect(
            try model.requests().related(model.members, count: 1) == """
                SELECT t0."coffer_key", t0."coffer_version", t0."age", t0."score", l1."first" \
                FROM "coffer_link_Club_members" l1 JOIN "Person" t0 ON t0."coffer_key" = l1."second" \
                WHERE l1."first" IN (?) ORDER BY l1."first", l1."first position", t0."coffer_key"
                """
        )
        #expect(try model.requests().ownerSlot(model.members) == nil)
    }

    @Test func `members are read with their places and without their rows`() throws {
        #expect(
            try model.requests().members(model.members, count: 2) == """
                SELECT l1."first", t0."coffer_key", l1."first position" \
                FROM "coffer_link_Club_members" l1 JOIN "Person" t0 ON t0."coffer_key" = l1."second" \
                WHERE l1."first" IN (?, ?) ORDER BY l1."first", l1."first position", t0."coffer_key"
                """
        )
        #expect(
            try model.requests().lastPlaces(model.pets, count: 1) == """
                SELECT t0."owner", MAX(t0."owner position") FROM "Animal" t0 WHERE t0."owner" IN (?) GROUP BY t0."owner"
                """
        )
    }

    @Test func `moving a link changes its place and does not insert the link`() throws {
        let requests = try model.requests()
        guard case .links(let table, _) = requests.schema.layout.relationships[model.members].storage else { return }
        #expect(
            SQLMutations(requests.schema, requests.dialect).move(table) == """
                UPDATE "coffer_link_Club_members" \
                SET "first position" = COALESCE(?, "coffer_link_Club_members"."first position") \
                WHERE "coffer_link_Club_members"."second" = ? AND "coffer_link_Club_members"."first" = ?
                """
        )
    }

    @Test func `groups are returned with their aggregates`() throws {
        let request = ValueRequest(
            rows: RowRequest(entity: model.person, order: [RowSort(model.age, ascending: true)]),
            terms: [.expression(model.age), .aggregate(.count, .key), .aggregate(.sum, model.score)],
            groups: [model.age], having: .compare(.aggregate(.count, .key), .greater, .integer(1))
        )
        let statement = try model.requests().values(request)
        #expect(
            statement.text == """
                SELECT t0."age", COUNT(t0."coffer_key"), TOTAL(t0."score") FROM "Person" t0 GROUP BY t0."age" \
                HAVING (COUNT(t0."coffer_key") > ?) ORDER BY t0."age"
                """
        )
        #expect(statement.results == [.integer, .integer, .double])
    }

    @Test func `distinct results are returned in their own order`() throws {
        let request = ValueRequest(
            rows: RowRequest(entity: model.person), terms: [.expression(model.age)], isDistinct: true)
        #expect(
            try model.requests().values(request).text == """
                SELECT t0."age" FROM "Person" t0 GROUP BY t0."age" ORDER BY t0."age"
                """
        )
    }

    @Test(arguments: ["count", "minimum", "maximum", "sum", "average"])
    func `only sums and averages of columns can overflow the types of a database`(_ name: String) throws {
        let aggregate = try #require(ValueRequest.Aggregate(rawValue: name))
        let own = ValueRequest(rows: RowRequest(entity: model.person), terms: [.aggregate(aggregate, model.age)])
        #expect(try model.requests().values(own).computes == ["sum", "average"].contains(name))
        let related = RowExpression.aggregate(
            aggregate, model.name, from: [], relationship: model.pets, where: .constant(true))
        guard ["count", "minimum", "maximum"].contains(name) else { return }
        let request = RowRequest(
            entity: model.person,
            predicate: .compare(related, .equal, .value(name == "count" ? .integer(2) : .text("a"))))
        #expect(try model.requests().keys(request).computes == false)
    }

    @Test func `arithmetic can overflow the types of a database`() throws {
        let next = RowExpression.function(.add, [model.age, .value(.integer(1))])
        let request = RowRequest(entity: model.person, predicate: .compare(next, .greater, .value(.integer(5))))
        #expect(try model.requests().keys(request).computes)
    }
}
