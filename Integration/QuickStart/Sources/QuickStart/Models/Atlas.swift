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

/// How many objects of each kind there are.
struct Census: Equatable {
    let countries, subdivisions, currencies, languages: Int

    init(of source: some FetchableSource) throws {
        countries = try source.fetchCount(From<Country>())
        subdivisions = try source.fetchCount(From<Subdivision>())
        currencies = try source.fetchCount(From<Currency>())
        languages = try source.fetchCount(From<Language>())
    }

    var total: Int { countries + subdivisions + currencies + languages }
}
