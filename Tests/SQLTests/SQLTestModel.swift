import CofferSQL
import CofferStorage
import Foundation

/// A small model, the indexes of its parts, and a dialect for statements.
struct SQLTestModel {
    let person = 0, animal = 1, dog = 2, club = 3
    let pets = 0, members = 3
    let age = RowExpression.column(slot: 0, kind: .integer)
    let score = RowExpression.column(slot: 1, kind: .double)
    let title = RowExpression.column(slot: 0, kind: .text)
    let name = RowExpression.column(slot: 0, kind: .text)
    /// The to-one relationship from animals to persons.
    let owner = 2

    /// - Parameters:
    ///   - ordersJoins: see ``SQLDialect/ordersJoins``.
    ///   - sharesPlaces: see ``SQLDialect/sharesPlaces``.
    func requests(ordersJoins: Bool = true, sharesPlaces: Bool = false) throws -> SQLQueries {
        SQLQueries(
            SQLSchema(try ModelLayout(Self.model)),
            PlainDialect(ordersJoins: ordersJoins, sharesPlaces: sharesPlaces))
    }

    static let model = StoreModel(
        version: "V1",
        entities: [
            EntityDescription(
                name: "Person",
                attributes: [
                    .init(name: "age", type: .integer64AttributeType), .init(name: "score", type: .doubleAttributeType),
                ],
                relationships: [
                    .init(name: "pets", destination: "Animal", inverse: "owner", isToMany: true, isOrdered: true),
                    .init(name: "clubs", destination: "Club", inverse: "members", isToMany: true),
                ]
            ),
            EntityDescription(
                name: "Animal", attributes: [.init(name: "name", type: .stringAttributeType)],
                relationships: [.init(name: "owner", destination: "Person", inverse: "pets", isToMany: false)]
            ),
            EntityDescription(
                name: "Dog", parent: "Animal", attributes: [.init(name: "tricks", type: .integer64AttributeType)]
            ),
            EntityDescription(
                name: "Club", attributes: [.init(name: "title", type: .stringAttributeType)],
                relationships: [
                    .init(name: "members", destination: "Person", inverse: "clubs", isToMany: true, isOrdered: true)
                ]
            ),
        ]
    )
}

/// The simplest possible dialect.
struct PlainDialect: SQLDialect {
    var ordersJoins = true
    var sharesPlaces = false
    func quoted(_ identifier: String) -> String { "\"\(identifier)\"" }
    func placeholder(_ index: Int) -> String { sharesPlaces ? "$\(index)" : "?" }
    var isSame: String { "IS" }
    var isNotSame: String { "IS NOT" }
    func nullOrder(ascending: Bool) -> String { "" }
    func limitClause(offset: Int, limit: Int?, bind: (Value) -> String) -> String {
        let clause = " LIMIT \(bind(.integer(Int64(limit ?? -1))))"
        return offset > 0 ? clause + " OFFSET \(bind(.integer(Int64(offset))))" : clause
    }
    var sortsDistinctGroups: Bool { true }
    var depthLimit: Int? { nil }
    func mixedComparison(_ left: SQLOperand, _ operation: String, _ right: SQLOperand) -> String? {
        "exact(\(left.text) \(operation) \(right.text))"
    }
    func aggregate(_ aggregate: ValueRequest.Aggregate, of operand: SQLOperand) -> String? {
        switch aggregate {
        case .count: "COUNT(\(operand.text))"
        case .sum: "TOTAL(\(operand.text))"
        case .average: "AVG(\(operand.text))"
        case .minimum: "MIN(\(operand.text))"
        case .maximum: "MAX(\(operand.text))"
        }
    }
    func comparedAggregate(
        _ aggregate: ValueRequest.Aggregate, of operand: SQLOperand, isRelated: Bool
    ) -> String? {
        self.aggregate(aggregate, of: operand)
    }
    func computation(_ function: ValueFunction, of operands: [SQLOperand]) -> String? {
        "\(function)(\(operands.map(\.text).joined(separator: ", ")))"
    }
    func textTest(_ left: String, _ relation: TextRelation, _ right: String, _ options: TextOptions) -> String? {
        "\(relation)\(options)(\(left), \(right))"
    }
    func isOneOf(_ count: Int) -> String { "IN (\((0..<count).map(placeholder).joined(separator: ", ")))" }
    func collation(of kind: ColumnKind) -> String { "" }
    var listLimit: Int { 8 }
    func longList(_ values: [Value], kind: ColumnKind) -> (before: String, binding: Value, after: String)? {
        ("SELECT value FROM list(", .integer(Int64(values.count)), ")")
    }
}
