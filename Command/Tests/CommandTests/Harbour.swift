import CofferStorage
import Foundation

/// A small store: ships, some of them ferries, their home ports, the ports they call at in order, and signals they share.
enum Harbour {
    static let id = UUID(uuidString: "6F3C6E1A-0000-4000-8000-000000000001") ?? UUID()

    static let model = StoreModel(
        version: "V1",
        entities: [
            EntityDescription(
                name: "Ship",
                attributes: [
                    .init(name: "name", type: .stringAttributeType),
                    .init(name: "length", type: .doubleAttributeType, isOptional: true),
                    .init(name: "price", type: .decimalAttributeType, isOptional: true),
                ],
                relationships: [
                    .init(name: "home", destination: "Port", inverse: "fleet", isToMany: false),
                    .init(name: "calls", destination: "Port", inverse: "callers", isToMany: true, isOrdered: true),
                    .init(name: "rivals", destination: "Ship", inverse: "rivals", isToMany: true),
                ], uniqueConstraints: [["name"]]
            ),
            EntityDescription(
                name: "Ferry", parent: "Ship", attributes: [.init(name: "seats", type: .integer64AttributeType)]),
            EntityDescription(
                name: "Port", attributes: [.init(name: "name", type: .stringAttributeType)],
                relationships: [
                    .init(name: "fleet", destination: "Ship", inverse: "home", isToMany: true),
                    .init(name: "callers", destination: "Ship", inverse: "calls", isToMany: true),
                ]
            ),
        ]
    )

    /// Makes a store of some ships and ten ports.
    static func make(_ place: Place, _ url: String, ships: Int64 = 20) throws {
        try place.make(url, model, as: id) { loader, layout throws(StorageError) in
            try fill(loader, layout, ships: ships)
        }
    }

    private static func fill(
        _ loader: any StorageLoader, _ layout: ModelLayout, ships: Int64
    ) throws(StorageError) {
        func row(_ name: String, _ key: Int64, _ values: [String: Value]) throws(StorageError) -> Row {
            guard let entity = layout.entity(named: name),
                let row = Row.make(
                    entity: entity.index, key: key, version: 1 + key % 2,
                    values: entity.columns.map { values[$0.name] ?? .null }, kinds: entity.kinds)
            else { throw .invalidModel("There is no '\(name)'.") }
            return row
        }
        func table(_ name: String) throws(StorageError) -> Int {
            guard let ship = layout.entity(named: "Ship"), let relationship = ship.relationship(named: name),
                case .links(let table, _) = layout.relationships[relationship].storage
            else { throw .invalidModel("There is no '\(name)'.") }
            return table
        }
        var rows: [Row] = []
        for key in 1...ships {
            var values: [String: Value] = [
                "name": .text("Ship \(key)"), "length": key % 4 == 0 ? .null : .double(Double(key) / 3),
                "price": .decimal(Decimal(key) / 8), "home": .integer(key % 10 + 1),
            ]
            if key % 5 == 0 { values["seats"] = .integer(key * 10) }
            rows.append(try row(key % 5 == 0 ? "Ferry" : "Ship", key, values))
        }
        try loader.add(rows)
        var ports: [Row] = []
        for key in 1...10 as ClosedRange<Int64> { ports.append(try row("Port", key, ["name": .text("Port \(key)")])) }
        try loader.add(ports)
        let (calls, rivals) = (try table("calls"), try table("rivals"))
        var links: [ChangeSet.Link] = []
        for key in 1...ships {
            links.append(.init(table: calls, first: key, second: key % 10 + 1, firstPosition: 1))
            links.append(.init(table: calls, first: key, second: (key + 4) % 10 + 1, firstPosition: 0))
        }
        try loader.add(links)
        links = []
        for key in stride(from: 1, to: ships, by: 2) {
            links.append(.init(table: rivals, first: key, second: key + 1))
        }
        try loader.add(links)
        if let ship = layout.index(of: "Ship") { try loader.continueKeys(at: 1_000_000, root: ship) }
    }
}
