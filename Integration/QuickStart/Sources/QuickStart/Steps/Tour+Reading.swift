import Coffer
import Foundation

extension Tour {
    func fetch() throws {
        let south = From<Country>().where { $0.$name >= "South" && $0.$name < "Soutj" }.orderBy(.ascending(\.$name))
        try report.step("Fetch: countries called South…", { try stack.fetchAll(south) }) { countries in
            for country in countries {
                report.fact("\(country.flag) \(country.name)", country.officialName ?? "–")
            }
            report.expect("they come in order", countries.map(\.name) == countries.map(\.name).sorted())
        }
    }

    func filterThroughRelationships() throws {
        let switzerland = try country("CH")
        let cantons = From<Subdivision>().where(\.$country == switzerland).orderBy(.ascending(\.$name))
        try report.step("Filter: the cantons of \(switzerland.name)", { try stack.fetchAll(cantons) }) { cantons in
            report.fact("first and last", "\(cantons.first?.name ?? "–") … \(cantons.last?.name ?? "–")")
            report.expect("the relationship has the same \(cantons.count)", Set(cantons) == switzerland.subdivisions)
        }

        let nested = From<Subdivision>().where(\.$parent != nil).orderBy(
            .ascending("country.name"), .ascending(\.$name))
        try report.step("Follow: subdivisions within others, with a plain loop", { try stack.fetchAll(nested) }) {
            found in
            let countries = Set(found.compactMap { $0.country?.name })
            let children = Set(found.compactMap(\.parent)).reduce(0) { $0 + $1.children.count }
            report.fact("in how many countries", countries.count)
            report.expect("every one of \(found.count) is a child of its parent", children == found.count)
        }
    }

    func aggregate() throws {
        let byKind = From<Subdivision>()
            .select(NSDictionary.self, .attribute(\.$kind), .count(\.$code, as: "count"))
            .groupBy(\.$kind)
        try report.step("Aggregate: subdivisions by kind", { try stack.queryAttributes(byKind) }) { rows in
            let counts = rows.map {
                (kind: $0["kind"] as? String ?? "", count: ($0["count"] as? NSNumber)?.intValue ?? 0)
            }
            for (kind, count) in counts.sorted(by: { $0.count > $1.count }).prefix(5) {
                report.fact(kind, count)
            }
            let total = try stack.fetchCount(From<Subdivision>())
            report.expect("\(rows.count) kinds add up to \(total)", counts.reduce(0) { $0 + $1.count } == total)
        }

        let living = From<Language>().where { $0.$kind == .living && $0.$scope == .individual }
        try report.step("Count: living languages", { try stack.fetchCount(living) }) { count in
            report.fact("individual and living", count)
        }
    }
}
