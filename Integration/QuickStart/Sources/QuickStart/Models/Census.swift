import Coffer

/// The number of objects of each kind, and the sum of these numbers.
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
