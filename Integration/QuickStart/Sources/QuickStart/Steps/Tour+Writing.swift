import Coffer

extension Tour {
    func edit() throws {
        let nameless = From<Country>().where(\.$officialName == nil)
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
            report.expect("\(before) were without one, now \(left)", before > 0 && left == 0)
        }
    }

    func refuse() throws {
        let before = try Census(of: stack)
        report.step(
            "Cancel: a transaction that throws",
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
        let france = try country("FR")
        let (regions, currencies) = (france.subdivisions.count, france.currencies.count)
        try report.step(
            "Delete: \(france.name), and what belongs to it",
            {
                try stack.perform(synchronous: { $0.delete(france) })
            }
        ) {
            let after = try Census(of: stack)
            report.expect("\(regions) subdivisions went with it", after.subdivisions == before.subdivisions - regions)
            report.expect("its \(currencies) currencies stay, without a country", after.currencies == before.currencies)
            report.expect("one country less", after.countries == before.countries - 1)
        }
    }
}
