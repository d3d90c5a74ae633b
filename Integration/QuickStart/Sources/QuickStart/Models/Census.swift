import Coffer

/// How many objects of each kind there are, and the sum of all they contain.
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
