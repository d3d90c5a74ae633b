import Coffer
import Foundation

extension Tour {
    func fetch() throws {
        let south = From<Country>().where { $0.$name >= "South" && $0.$name < "Soutj" }.orderBy(.ascending(\.$name))
        try report.step("Fetch: countries called South…", { try stack.fetchAll(south) }) { countries in
            for country in countries {
                report.fact("\(country.flag) \(country.name)", country.officialName ?? "no other name")
            }
            report.expect("they come in order", countries.map(\.name) == countries.map(\.name).sorted())
        }
    }

    func filterThroughRelationships() throws {
        let cantons = From<Subdivision>()
            .where { ($0.$country ~ \.$name) == "Switzerland" }
            .orderBy(.ascending(\.$name))
        try report.step("Filter: subdivisions whose country is Switzerland", { try stack.fetchAll(cantons) }) { found in
            report.fact("first and last", "\(found.first?.name ?? "none") … \(found.last?.name ?? "none")")
            report.expect("they are its \(found.count) cantons", try Set(found) == country("CH").subdivisions)
        }

        let divided = From<Country>()
            .where { $0.$subdivisions.count() > 100 && ($0.$subdivisions ~ \.$kind).any() == "District" }
            .orderBy(.ascending(\.$name))
        try report.step("Filter: over 100 subdivisions, some of them districts", { try stack.fetchAll(divided) }) {
            found in
            for country in found {
                report.fact("\(country.flag) \(country.name)", "\(country.subdivisions.count) subdivisions")
            }
            let all = found.allSatisfy { country in
                country.subdivisions.count > 100 && country.subdivisions.contains { $0.kind == "District" }
            }
            report.expect("each has them", !found.isEmpty && all)
        }
    }

    func followRelationships() throws {
        let nested = From<Subdivision>().where { $0.$parent != nil }.orderBy(
            .ascending("country.name"), .ascending(\.$name))
        try report.step(
            "Follow: from subdivisions to their parents, in a plain loop",
            {
                let found = try stack.fetchAll(nested)
                return (
                    found, countries: Set(found.compactMap { $0.country?.name }),
                    parents: Set(found.compactMap(\.parent))
                )
            }
        ) { found, countries, parents in
            report.fact("subdivisions within another", found.count)
            report.fact("in how many countries", countries.count)
            let children = parents.reduce(0) { $0 + $1.children.count }
            report.expect("each is a child of its parent", children == found.count)
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
            report.expect("\(counts.count) kinds, and all add up", counts.reduce(0) { $0 + $1.count } == total)
        }

        let living = From<Language>().where { $0.$kind == .living && $0.$scope == .individual }
        try report.step("Count: living languages", { try stack.fetchCount(living) }) { count in
            report.fact("individual and living", count)
        }
    }
}
