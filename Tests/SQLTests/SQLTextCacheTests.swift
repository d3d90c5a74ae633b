import CofferSQL
import CofferStorage
import TestSupport
import Testing

/// Statements of a converter that has converted similar requests, compared with statements of a new converter.
struct SQLTextCacheTests {
    private let model = SQLTestModel()

    @Test(arguments: [false, true]) func `earlier requests do not change a statement`(sharesPlaces: Bool) throws {
        var random = SeededGenerator(seed: 60)
        let used = try model.requests(sharesPlaces: sharesPlaces)
        var texts: Set<String> = []
        for _ in 0..<3_000 {
            let request = randomRequest(using: &random)
            let new = try model.requests(sharesPlaces: sharesPlaces)
            let (rows, keys) = (try used.rows(request), try used.keys(request))
            #expect(filled(rows) == filled(try new.rows(request)), "\(request)")
            #expect(filled(keys) == filled(try new.keys(request)), "\(request)")
            #expect(keys.results == [.reference])
            texts.insert(rows.text)
        }
        // The requests have far fewer shapes than values, and more shapes than the cache has places.
        #expect((600..<2_500).contains(texts.count))
    }

    @Test func `equal values keep their parameters when later values differ`() throws {
        let used = try model.requests(sharesPlaces: true)
        let request = { (a: Int64, b: Int64, limit: Int) in
            RowRequest(
                entity: model.dog,
                predicate: .and([
                    .compare(.through(relationship: model.owner, model.age), .equal, .value(.integer(a))),
                    .compare(.key, .greater, .value(.integer(b))),
                    .compare(.through(relationship: model.owner, .key), .less, .value(.integer(a))),
                ]), limit: limit)
        }
        for (a, b, limit) in [(1, 1, 1), (1, 2, 1), (1, 2, 3), (4, 5, 6), (7, 7, 7)] as [(Int64, Int64, Int)] {
            let new = try model.requests(sharesPlaces: true)
            #expect(filled(try used.keys(request(a, b, limit))) == filled(try new.keys(request(a, b, limit))))
        }
    }

    @Test func `a cached statement keeps its entity name if a value equals the name`() throws {
        let used = try model.requests(sharesPlaces: true)
        for (entity, includesSubentities) in [(model.dog, true), (model.animal, false)] {
            for name in ["Dog", "Rex", "Animal", "Rex", "Dog"] {
                let request = RowRequest(
                    entity: entity, includesSubentities: includesSubentities,
                    predicate: .compare(model.name, .equal, .value(.text(name))), limit: 1)
                let new = try model.requests(sharesPlaces: true)
                #expect(filled(try used.rows(request)) == filled(try new.rows(request)))
            }
        }
    }

    @Test func `an object and its key do not share a cached statement`() throws {
        let used = try model.requests()
        let id = ObjectID(storage: 1, key: 7)
        for value in [Value.integer(7), .object(id), .integer(8)] {
            let request = RowRequest(entity: model.animal, predicate: .compare(.key, .equal, .value(value)))
            #expect(try used.rows(request) == model.requests().rows(request))
        }
    }

    /// Returns a statement with its values in place of the placeholders.
    private func filled(_ statement: SQLStatement) -> String {
        var text = statement.text
        // The loop begins with the last value, so that `$1` is not found in `$10`.
        for (index, value) in statement.bindings.enumerated().reversed() where text.contains("$\(index)") {
            text = text.replacing("$\(index)", with: "\(value)")
        }
        for value in statement.bindings where text.contains("?") {
            text = text.replacing("?", with: "\(value)", maxReplacements: 1)
        }
        return text
    }

    private func randomRequest(using random: inout SeededGenerator) -> RowRequest {
        let entity = [model.person, model.animal, model.dog, model.club].randomElement(using: &random) ?? model.person
        let columns: [RowExpression] =
            switch entity {
            case model.person: [model.age, model.score, .key]
            case model.club: [model.title, .key]
            default: [model.name, .key, .through(relationship: model.owner, model.age)]
            }
        var parts: [RowPredicate] = []
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            guard let column = columns.randomElement(using: &random),
                let comparison = RowPredicate.Comparison.allCases.randomElement(using: &random)
            else { continue }
            parts.append(.compare(column, comparison, .value(randomValue(using: &random))))
        }
        var predicate = RowPredicate.and(parts)
        switch Int.random(in: 0..<8, using: &random) {
        case 0: predicate = .or(parts)
        case 1: predicate = parts.first.map { .not($0) } ?? .constant(true)
        case 2: predicate = parts.first ?? .constant(true)
        default: break
        }
        let order = Bool.random(using: &random) ? [] : columns.map { RowSort($0, ascending: .random(using: &random)) }
        return RowRequest(
            entity: entity, includesSubentities: .random(using: &random), predicate: predicate, order: order,
            offset: Int.random(in: 0..<4, using: &random) == 0 ? 2 : 0,
            limit: Bool.random(using: &random) ? nil : Int.random(in: 0...3, using: &random))
    }

    private func randomValue(using random: inout SeededGenerator) -> Value {
        let number = Int64.random(in: 0...3, using: &random)
        return switch Int.random(in: 0..<5, using: &random) {
        case 0: .null
        case 1: .double(Double(number) / 2)
        case 2, 3: .integer(number)
        default: .text(number == 0 ? "Dog" : "text \(number)")
        }
    }
}
