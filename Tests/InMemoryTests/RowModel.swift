import CofferEvaluation
import CofferStorage
import Foundation
import TestSupport

/// A small model with every kind of column and relationship, and functions for random rows and requests.
enum RowModel {
    static let person = 0, employee = 1, pet = 2, tag = 3
    static let name = 0, email = 1, age = 2, score = 3, active = 4, born = 5, photo = 6, money = 7

    static let model = StoreModel(
        version: "V1",
        entities: [
            EntityDescription(
                name: "Person",
                attributes: [
                    .init(name: "name", type: .stringAttributeType, isOptional: true),
                    .init(name: "email", type: .stringAttributeType, isOptional: true),
                    .init(name: "age", type: .integer64AttributeType, isOptional: true),
                    .init(name: "score", type: .doubleAttributeType, isOptional: true),
                    .init(name: "active", type: .booleanAttributeType, isOptional: true),
                    .init(name: "born", type: .dateAttributeType, isOptional: true),
                    .init(name: "photo", type: .binaryDataAttributeType, isOptional: true),
                    .init(name: "money", type: .decimalAttributeType, isOptional: true),
                ],
                relationships: [
                    .init(name: "pets", destination: "Pet", inverse: "owner", isToMany: true, isOrdered: true),
                    .init(name: "boss", destination: "Person", inverse: "staff", isToMany: false),
                    .init(name: "staff", destination: "Person", inverse: "boss", isToMany: true),
                    .init(name: "tags", destination: "Tag", inverse: "people", isToMany: true, isOrdered: true),
                ],
                indexes: [["name"], ["age", "name"], ["score"], ["born"], ["active"]],
                uniqueConstraints: [["email"]]
            ),
            EntityDescription(
                name: "Employee", parent: "Person",
                attributes: [.init(name: "title", type: .stringAttributeType, isOptional: true)], indexes: [["title"]]
            ),
            EntityDescription(
                name: "Pet", attributes: [.init(name: "name", type: .stringAttributeType, isOptional: true)],
                relationships: [.init(name: "owner", destination: "Person", inverse: "pets", isToMany: false)]
            ),
            EntityDescription(
                name: "Tag", attributes: [.init(name: "name", type: .stringAttributeType, isOptional: true)],
                relationships: [.init(name: "people", destination: "Person", inverse: "tags", isToMany: true)],
                uniqueConstraints: [["name"]]
            ),
        ]
    )

    static func layout() throws -> ModelLayout { try ModelLayout(model) }

    static func row(
        _ entity: Int, _ key: Int64, _ values: [String: Value], version: Int64 = 1, in layout: ModelLayout
    ) throws -> Row {
        let columns = layout.entities[entity].columns
        let list = columns.map { values[$0.name] ?? .null }
        guard
            let row = Row.make(
                entity: entity, key: key, version: version, values: list, kinds: layout.entities[entity].kinds
            )
        else { throw StorageError(.invalidValue, "The values do not fit.") }
        return row
    }

    static func value(_ kind: ColumnKind, _ random: inout SeededGenerator) -> Value {
        switch kind {
        case .integer: .integer(Int64.random(in: -3...12, using: &random))
        case .double: .double([-1.5, -0.0, 0.0, 0.1, 2, 3.5, .infinity][Int.random(in: 0..<7, using: &random)])
        case .decimal: .decimal(Decimal(Int.random(in: -20...20, using: &random)) / 4)
        case .boolean: .boolean(random.chance(50))
        case .date: .date(Double(Int.random(in: -5...5, using: &random)) / 2)
        case .text: .text(text(&random))
        case .blob: .blob(Data((0..<Int.random(in: 0...3, using: &random)).map { UInt8($0) }))
        case .reference: .integer(Int64.random(in: 1...60, using: &random))
        }
    }

    static func text(_ random: inout SeededGenerator) -> String {
        let stems = ["", "a", "ab", "Ab", "é", "e\u{301}", "a long common prefix ", "a long common prefix", "z\0", "z"]
        let stem = stems[Int.random(in: 0..<stems.count, using: &random)]
        return random.chance(50) ? stem : stem + String(Int.random(in: 0...5, using: &random))
    }

    static func randomRow(
        _ entity: Int, _ key: Int64, _ layout: ModelLayout, _ random: inout SeededGenerator
    ) throws -> Row {
        var values: [String: Value] = [:]
        for column in layout.entities[entity].columns where !random.chance(15) {
            values[column.name] = value(column.kind, &random)
        }
        // Unique values are rarely equal. The tests of merging make them equal on purpose.
        if entity == tag {
            values["name"] = .text("tag \(key)")
        } else if entity != pet {
            values["email"] = random.chance(20) ? .null : .text("someone with number \(key)")
        }
        return try row(entity, key, values, in: layout)
    }

    static func expression(_ entity: Int, _ layout: ModelLayout, _ random: inout SeededGenerator) -> RowExpression {
        let columns = layout.entities[entity].columns
        let slot = Int.random(in: 0..<columns.count, using: &random)
        let column = RowExpression.column(slot: slot, kind: columns[slot].kind)
        let relationships = layout.entities[entity].relationships.map { layout.relationships[$0] }
        guard random.chance(25), let relationship = relationships.randomElement(using: &random) else {
            return random.chance(5) ? .key : column
        }
        if relationship.isToMany { return .count(relationship: relationship.index) }
        return .through(
            relationship: relationship.index, expression(relationship.destination, layout, &random)
        )
    }

    static func predicate(
        _ entity: Int, _ layout: ModelLayout, depth: Int = 2, _ random: inout SeededGenerator
    ) -> RowPredicate {
        switch Int.random(in: 0..<10, using: &random) {
        case 0 where depth > 0:
            return .and((0..<2).map { _ in predicate(entity, layout, depth: depth - 1, &random) })
        case 1 where depth > 0:
            return .or((0..<2).map { _ in predicate(entity, layout, depth: depth - 1, &random) })
        case 2 where depth > 0: return .not(predicate(entity, layout, depth: depth - 1, &random))
        case 3: return .isEntity([Int.random(in: 0...1, using: &random)])
        case 4 where depth > 0:
            let relationships = layout.entities[entity].relationships.map { layout.relationships[$0] }
            guard let many = relationships.filter(\.isToMany).randomElement(using: &random) else {
                return .constant(true)
            }
            let inner = predicate(many.destination, layout, depth: depth - 1, &random)
            return .some(from: [], relationship: many.index, inner)
        case 5:
            let left = expression(entity, layout, &random)
            return .isIn(left, (0..<3).map { _ in value(layout.kind(of: left) ?? .integer, &random) })
        default:
            let left = expression(entity, layout, &random)
            let comparison = RowPredicate.Comparison.allCases.randomElement(using: &random) ?? .equal
            let kind = random.chance(90) ? layout.kind(of: left) ?? .integer : .double
            let right = random.chance(10) ? Value.null : value(kind, &random)
            return random.chance(80)
                ? .compare(left, comparison, .value(right))
                : .compare(.value(right), comparison, left)
        }
    }

    static func request(_ layout: ModelLayout, _ random: inout SeededGenerator) -> RowRequest {
        let entity = Int.random(in: 0...3, using: &random)
        let keys = Int.random(in: 0...2, using: &random)
        let ascending = random.chance(50)
        var order = (0..<keys).map { _ in RowSort(expression(entity, layout, &random), ascending: random.chance(50)) }
        if entity < 2, random.chance(25) {
            let index = layout.entities[person].indexes.randomElement(using: &random) ?? [0]
            order = index.map { RowSort(.column(slot: $0, kind: layout.entities[0].kinds[$0]), ascending: ascending) }
        }
        return RowRequest(
            entity: entity, includesSubentities: random.chance(70),
            predicate: random.chance(15) ? .constant(true) : predicate(entity, layout, &random), order: order,
            offset: random.chance(70) ? 0 : Int.random(in: 0...5, using: &random),
            limit: random.chance(50) ? nil : Int.random(in: 0...12, using: &random)
        )
    }
}
