import CofferStorage
import Foundation

/// Generates the model and the rows of a test store.
struct Content {
    let rows: Int

    static let model = StoreModel(
        version: "V1",
        entities: [
            EntityDescription(
                name: "Person",
                attributes: [
                    .init(name: "name", type: .stringAttributeType),
                    .init(name: "email", type: .stringAttributeType),
                    .init(name: "born", type: .dateAttributeType, isOptional: true),
                    .init(name: "height", type: .doubleAttributeType, isOptional: true),
                    .init(name: "balance", type: .decimalAttributeType),
                    .init(name: "isActive", type: .booleanAttributeType),
                ],
                relationships: [
                    .init(name: "notes", destination: "Note", inverse: "author", isToMany: true, isOrdered: true),
                    .init(name: "mentor", destination: "Person", inverse: "pupils", isToMany: false),
                    .init(name: "pupils", destination: "Person", inverse: "mentor", isToMany: true),
                    .init(name: "tags", destination: "Tag", inverse: "people", isToMany: true, isOrdered: true),
                ], indexes: [["name"]], uniqueConstraints: [["email"]]
            ),
            EntityDescription(
                name: "Staff", parent: "Person", attributes: [.init(name: "salary", type: .integer64AttributeType)]),
            EntityDescription(
                name: "Note",
                attributes: [
                    .init(name: "text", type: .stringAttributeType),
                    .init(name: "data", type: .binaryDataAttributeType, isOptional: true),
                ],
                relationships: [.init(name: "author", destination: "Person", inverse: "notes", isToMany: false)]
            ),
            EntityDescription(
                name: "Tag", attributes: [.init(name: "label", type: .stringAttributeType)],
                relationships: [.init(name: "people", destination: "Person", inverse: "tags", isToMany: true)]
            ),
        ]
    )

    private var people: Int { rows * 4 / 10 }
    private var tags: Int { max(1, rows / 1000) }
    private var notes: Int { rows - people - tags }

    func fill(_ loader: any StorageLoader, _ layout: ModelLayout) throws(StorageError) {
        try fill(loader, layout, "Person", people, person)
        try fill(loader, layout, "Note", notes, note)
        try fill(loader, layout, "Tag", tags) { key in ("Tag", ["label": .text("tag \(key)")]) }
        guard let person = layout.entity(named: "Person"), let tags = person.relationship(named: "tags"),
            case .links(let table, let isFirst) = layout.relationships[tags].storage
        else { return }
        var links: [ChangeSet.Link] = []
        for person in 1...Int64(people) {
            let tag = person * 7 % Int64(self.tags) + 1
            links.append(
                isFirst
                    ? .init(table: table, first: person, second: tag, firstPosition: 0)
                    : .init(table: table, first: tag, second: person, secondPosition: 0))
            if links.count == 4096 {
                try loader.add(links)
                links = []
            }
        }
        try loader.add(links)
    }

    private func person(_ key: Int64) -> (String, [String: Value]) {
        var values: [String: Value] = [
            "name": .text("Person \(key % 5000)"), "email": .text("\(key)@example.org"),
            "born": key % 3 == 0 ? .null : .date(Double(key) * 86_400.123_456_7),
            "height": .double(1.5 + Double(key % 50) / 100),
            "balance": .decimal(Decimal(key) / 100), "isActive": .boolean(key % 2 == 0),
            "mentor": key % 10 == 0 ? .integer(key / 10) : .null,
        ]
        guard key % 20 == 0 else { return ("Person", values) }
        values["salary"] = .integer(key * 10)
        return ("Staff", values)
    }

    private func note(_ key: Int64) -> (String, [String: Value]) {
        let text = String(repeating: "A note that somebody wrote, number \(key). ", count: Int(key % 3) + 1)
        return (
            "Note",
            [
                "text": .text(text), "data": key % 8 == 0 ? .blob(Data(text.utf8.prefix(40))) : .null,
                "author": .integer(key % Int64(people) + 1), "author position": .integer(key / Int64(people)),
            ]
        )
    }

    private func fill(
        _ loader: any StorageLoader, _ layout: ModelLayout, _ root: String, _ count: Int,
        _ make: (Int64) -> (entity: String, values: [String: Value])
    ) throws(StorageError) {
        var rows: [Row] = []
        for key in 1...Int64(max(1, count)) {
            let made = make(key)
            guard let entity = layout.entity(named: made.entity),
                let row = Row.make(
                    entity: entity.index, key: key, version: 1 + key % 3,
                    values: entity.columns.map { made.values[$0.name] ?? .null }, kinds: entity.kinds)
            else { throw .invalidModel("There is no '\(made.entity)'.") }
            rows.append(row)
            if rows.count == 4096 {
                try loader.add(rows)
                rows = []
            }
        }
        try loader.add(rows)
    }
}
