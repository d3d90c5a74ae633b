import Coffer
import CofferInMemory
import Foundation
import TestSupport
import Testing

struct MigrationTypeTests {
    @Test(.pins("MIG-04")) func `a migration type returns its kind and its versions`() {
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

    @Test(.pins("MIG-05"))
    func `progress is the completed fraction of the migration, and 1 after the storage is added`() {
        let store = InMemoryStore()
        let progress = Progress(totalUnitCount: 4)
        let migrating = MigrationProgress.migrating(storage: store, progressObject: progress)
        for (count, fraction) in [(0, 0.0), (1, 0.25), (4, 1.0)] {
            progress.completedUnitCount = Int64(count)
            #expect(migrating.fractionCompleted == fraction && !migrating.isCompleted)
        }
        for wasMigrated in [false, true] {
            let finished = MigrationProgress.finished(storage: store, migrationRequired: wasMigrated)
            #expect(finished.fractionCompleted == 1 && finished.isCompleted)
        }
    }
}
