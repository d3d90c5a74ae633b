import Coffer

/// The model of this program.
enum Atlas {
    static func schema() -> CoreStoreSchema {
        CoreStoreSchema(
            modelVersion: "V1",
            entities: [
                Entity<Country>("Country", indexes: [[\.$name]], uniqueConstraints: [[\.$code]]),
                Entity<Subdivision>("Subdivision", indexes: [[\.$kind]], uniqueConstraints: [[\.$code]]),
                Entity<Currency>("Currency", uniqueConstraints: [[\.$code]]),
                Entity<Language>("Language", indexes: [[\.$name]], uniqueConstraints: [[\.$code]]),
            ]
        )
    }
}
