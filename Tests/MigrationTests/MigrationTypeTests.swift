import Coffer
import Testing

struct MigrationTypeTests {
    @Test func `MIG-04 a kind of migration knows its versions`() {
        let none = MigrationType.none(version: "V1")
        #expect(!none.hasMigration && !none.isLightweightMigration && !none.isHeavyweightMigration)
        #expect(none.sourceVersion == "V1" && none.destinationVersion == "V1")
        let light = MigrationType.lightweight(sourceVersion: "V1", destinationVersion: "V2")
        #expect(light.hasMigration && light.isLightweightMigration && !light.isHeavyweightMigration)
        #expect(light.sourceVersion == "V1" && light.destinationVersion == "V2")
        let heavy = MigrationType.heavyweight(sourceVersion: "V1", destinationVersion: "V2")
        #expect(heavy.hasMigration && !heavy.isLightweightMigration && heavy.isHeavyweightMigration)
        #expect(heavy.sourceVersion == "V1" && heavy.destinationVersion == "V2")
        #expect(Set([none, light, heavy, .none(version: "V1")]).count == 3)
    }
}
