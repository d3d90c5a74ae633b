import Coffer

/// Saves the ISO codes in a stack, with some hundred objects in each transaction.
struct Loader {
    private static let batch = 500

    let stack: DataStack
    let codes: ISOCodes

    /// The closure that is called after each transaction, with the number of objects that the transaction saved.
    let advance: (Int) -> Void

    func load() throws {
        try loadCountries()
        try loadCurrencies()
        try loadSubdivisions()
        try loadLanguages()
    }

    private func loadCountries() throws {
        try stack.perform(synchronous: { transaction in
            for entry in codes.countries {
                let country = transaction.create(Into<Country>())
                country.code = entry.alpha_2
                country.name = entry.name
                country.officialName = entry.official_name
                country.flag = entry.flag ?? ""
            }
        })
        advance(codes.countries.count)
    }

    private func loadCurrencies() throws {
        try stack.perform(synchronous: { transaction in
            let countries = try countriesByCode(in: transaction)
            for entry in codes.currencies {
                let currency = transaction.create(Into<Currency>())
                currency.code = entry.alpha_3
                currency.name = entry.name
                currency.country = countries[String(entry.alpha_3.prefix(2))]
            }
        })
        advance(codes.currencies.count)
    }

    /// Saves whole countries at a time, so that every parent is created in the transaction that refers to it.
    private func loadSubdivisions() throws {
        let byCountry = Dictionary(grouping: codes.subdivisions, by: \.country)
        var pending: [ISOCodes.Subdivision] = []
        for country in byCountry.keys.sorted() {
            pending += byCountry[country] ?? []
            if pending.count >= Self.batch {
                try save(pending)
                pending = []
            }
        }
        try save(pending)
    }

    private func save(_ entries: [ISOCodes.Subdivision]) throws {
        try stack.perform(synchronous: { transaction in
            let countries = try countriesByCode(in: transaction)
            var byCode: [String: Subdivision] = [:]
            for entry in entries {
                let subdivision = transaction.create(Into<Subdivision>())
                subdivision.code = entry.code
                subdivision.name = entry.name
                subdivision.kind = entry.type
                subdivision.country = countries[entry.country]
                byCode[entry.code] = subdivision
            }
            for entry in entries {
                if let parent = entry.parentCode {
                    byCode[entry.code]?.parent = byCode[parent]
                }
            }
        })
        advance(entries.count)
    }

    private func loadLanguages() throws {
        for start in stride(from: 0, to: codes.languages.count, by: Self.batch) {
            let entries = codes.languages[start..<min(start + Self.batch, codes.languages.count)]
            try stack.perform(synchronous: { transaction in
                for entry in entries {
                    let language = transaction.create(Into<Language>())
                    language.code = entry.alpha_3
                    language.name = entry.name
                    language.scope = Language.Scope(rawValue: entry.scope) ?? .individual
                    language.kind = Language.Kind(rawValue: entry.type) ?? .living
                }
            })
            advance(entries.count)
        }
    }

    private func countriesByCode(in transaction: BaseDataTransaction) throws -> [String: Country] {
        let countries = try transaction.fetchAll(From<Country>())
        return Dictionary(countries.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })
    }
}
