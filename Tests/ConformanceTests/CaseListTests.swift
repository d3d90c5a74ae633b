import Testing

@testable import CofferConformance

struct CaseListTests {
    @Test func `no two cases have the same id`() {
        let ids = ConformanceCase.everything.map(\.id)
        #expect(Dictionary(grouping: ids, by: { $0 }).filter { $1.count > 1 }.isEmpty)
    }

    @Test func `every id is two words in lower case with hyphens`() {
        for one in ConformanceCase.everything {
            #expect(one.id.wholeMatch(of: /[a-z]+\/[a-z0-9-]+/) != nil, "\(one.id)")
        }
    }

    @Test func `every rule is a sentence`() {
        for one in ConformanceCase.everything {
            #expect(one.rule.first?.isUppercase == true || one.rule.first == "'", "\(one)")
            #expect(one.rule.hasSuffix("."), "\(one)")
        }
    }

    @Test(arguments: [
        ("commits/*", "commits/insert", true), ("*", "a/b", true), ("*/random", "fetching/random", true),
        ("a/b", "a/b", true), ("a/b", "a/bc", false), ("commits/*", "fetching/limit", false),
        ("*a*b*", "xxaxxbxx", true), ("a*a", "a", false),
    ])
    func `a pattern selects case ids`(pattern: String, id: String, matches: Bool) {
        #expect(Pattern(pattern).matches(id) == matches)
    }
}
