import Coffer

/// A number that is computed from every value and every relationship of every object.
///
/// Equal content has the same number.
struct Fingerprint: Equatable {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    init(of source: some FetchableSource) throws {
        for country in try source.fetchAll(From<Country>().orderBy(.ascending(\.$code))) {
            add(country.code, country.name, country.officialName, country.flag)
            add(country.subdivisions.count, country.currencies.count)
        }
        for subdivision in try source.fetchAll(From<Subdivision>().orderBy(.ascending(\.$code))) {
            add(subdivision.code, subdivision.name, subdivision.kind)
            add(subdivision.country?.code, subdivision.parent?.code, subdivision.children.count)
        }
        for currency in try source.fetchAll(From<Currency>().orderBy(.ascending(\.$code))) {
            add(currency.code, currency.name, currency.country?.code)
        }
        for language in try source.fetchAll(From<Language>().orderBy(.ascending(\.$code))) {
            add(language.code, language.name, language.scope.rawValue, language.kind.rawValue)
        }
    }

    private mutating func add(_ parts: (any CustomStringConvertible)?...) {
        for part in parts {
            for byte in (part?.description ?? "nil").utf8 + [0] {
                // FNV-1a
                value = (value ^ UInt64(byte)) &* 0x100_0000_01b3
            }
        }
    }
}
