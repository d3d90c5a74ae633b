import Coffer

extension Tour {
    func edit() throws {
        let nameless = From<Country>().where { $0.$officialName == nil }
        let before = try stack.fetchCount(nameless)
        try report.step(
            "Edit: give every country an official name",
            {
                try stack.perform(synchronous: { transaction in
                    for country in try transaction.fetchAll(nameless) {
                        country.officialName = country.name
                    }
                })
            }
        ) {
            let left = try stack.fetchCount(nameless)
            report.expect(
                "\(before) had none, now \(left == 0 ? "all have one" : "\(left) have none")", before > 0 && left == 0)
        }
    }

    func refuse() throws {
        let before = try Census(of: stack)
        report.step(
            "Cancel: delete every language, then throw",
            { () -> Bool in
                do {
                    try stack.perform(synchronous: { transaction in
                        try transaction.deleteAll(From<Language>())
                        throw QuickStartError("changed my mind")
                    })
                    return false
                } catch {
                    return true
                }
            }
        ) { threw in
            report.expect("the error comes back", threw)
            report.expect("it left no trace", (try? Census(of: stack)) == before)
        }
    }

    func deleteWithCascade() throws {
        let before = try Census(of: stack)
        let country = try country("PH")
        let (subdivisions, currencies) = (country.subdivisions.count, country.currencies)
        try report.step(
            "Delete: \(country.name), with what belongs to it",
            { try stack.perform(synchronous: { $0.delete(country) }) }
        ) {
            let after = try Census(of: stack)
            report.expect("one country less", country.isDeleted && after.countries == before.countries - 1)
            report.expect(
                "its \(subdivisions) subdivisions went with it",
                after.subdivisions == before.subdivisions - subdivisions
            )
            let left = currencies.allSatisfy { !$0.isDeleted && $0.country == nil }
            report.expect(
                "the \(currencies.map(\.name).sorted().joined(separator: ", ")) is left, without a country",
                left && after.currencies == before.currencies
            )
        }
    }
}
