import CofferStorage
import CofferStorageTools
import Testing

/// The types to which an attribute may change in an inferred migration.
struct WideningTests {
    private static func model(_ version: String, _ type: AttributeType) -> StoreModel {
        StoreModel(
            version: version,
            entities: [
                EntityDescription(
                    name: "Item", attributes: [AttributeDescription(name: "x", type: type, isOptional: true)])
            ])
    }

    /// The types to which every value converts without loss, as in docs/migrations.md.
    private static let wider: [AttributeType: Set<AttributeType>] = [
        .integer16AttributeType: [
            .integer32AttributeType, .integer64AttributeType, .floatAttributeType, .doubleAttributeType,
            .decimalAttributeType,
        ],
        .integer32AttributeType: [.integer64AttributeType, .doubleAttributeType, .decimalAttributeType],
        .integer64AttributeType: [.decimalAttributeType],
        .floatAttributeType: [.doubleAttributeType],
    ]

    @Test(arguments: AttributeType.allCases, AttributeType.allCases)
    func `an attribute changes its type only without loss`(_ old: AttributeType, _ new: AttributeType) throws {
        let (source, target) = (Self.model("V1", old), Self.model("V2", new))
        let plan = MigrationPlan.inferred(from: source, to: target)
        let layout = try ModelLayout(source)
        if old == new || Self.wider[old]?.contains(new) == true {
            #expect(throws: Never.self) { try ResolvedMigration(plan, from: layout) }
        } else {
            let error = #expect(throws: StorageError.self) { try ResolvedMigration(plan, from: layout) }
            #expect(error?.code == .schemaMismatch)
            #expect(
                error?.message.hasPrefix(
                    "'Item.x' is \(new.rawValue) in version 'V2' but \(old.rawValue) in 'V1'. This conversion can lose data."
                ) == true)
        }
    }
}
