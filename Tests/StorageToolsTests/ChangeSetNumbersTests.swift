import CofferStorage
import CofferStorageTools
import Foundation
import Testing

/// Numbers that no store accepts.
struct ChangeSetNumbersTests {
    private static let kinds: [ColumnKind] = [.double, .decimal, .date, .double]

    private let layout: ModelLayout

    init() throws {
        let types: [AttributeType] = [
            .doubleAttributeType, .decimalAttributeType, .dateAttributeType, .floatAttributeType,
        ]
        layout = try ModelLayout(
            StoreModel(
                version: "V1",
                entities: [
                    EntityDescription(
                        name: "Reading",
                        attributes: zip(["value", "price", "taken", "error"], types).map {
                            AttributeDescription(name: $0, type: $1, isOptional: true)
                        })
                ]))
    }

    /// Returns a row of infinite and usual numbers, and NaN in one slot.
    private func row(nan slot: Int?, version: Int64 = 1) throws -> Row {
        var values: [Value] = [.double(.infinity), .decimal(1), .date(-.infinity), .null]
        if let slot { values[slot] = [.double(.nan), .decimal(.nan), .date(.nan), .double(.nan)][slot] }
        return try #require(Row.make(entity: 0, key: 1, version: version, values: values, kinds: Self.kinds))
    }

    @Test func `numbers other than NaN are accepted`() throws {
        var changes = ChangeSet()
        changes.inserts = [.init(row: try row(nan: nil))]
        changes.updates = [.init(row: try row(nan: nil), columns: ColumnSet(below: 4))]
        try changes.checkNumbers(layout)
    }

    @Test(arguments: [0, 1, 2, 3])
    func `a NaN is refused in a new row, and in a changed column`(_ slot: Int) throws {
        let name = layout.entities[0].columns[slot].name
        var insert = ChangeSet()
        insert.inserts = [.init(row: try row(nan: slot))]
        var update = ChangeSet()
        update.updates = [.init(row: try row(nan: slot), columns: ColumnSet([slot]))]
        for changes in [insert, update] {
            let error = #expect(throws: StorageError.self) { try changes.checkNumbers(layout) }
            #expect(error?.code == .invalidValue)
            #expect(
                error?.message
                    == "'Reading.\(name)' is not a number (NaN) and cannot be saved. Use an optional field.")
        }
        update.updates = [.init(row: try row(nan: slot), columns: ColumnSet((0..<4).filter { $0 != slot }))]
        try update.checkNumbers(layout)
    }

    @Test func `a row with the highest version cannot be changed`() throws {
        var changes = ChangeSet()
        changes.updates = [.init(row: try row(nan: nil, version: .max - 1), columns: ColumnSet([0]))]
        try changes.checkNumbers(layout)
        changes.updates = [.init(row: try row(nan: nil, version: .max), columns: ColumnSet([0]))]
        let error = #expect(throws: StorageError.self) { try changes.checkNumbers(layout) }
        #expect(error?.code == .invalidValue)
        #expect(error?.message.hasPrefix("Row 1 of 'Reading' cannot be changed, because it has the highest") == true)
    }
}
