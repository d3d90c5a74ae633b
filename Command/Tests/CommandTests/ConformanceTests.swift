import Foundation
import Testing

struct ConformanceTests {
    @Test func `conformance cases pass on each backend and leave an existing store unchanged`() throws {
        let place = try Place()
        try Harbour.make(place, place.sqlite("a"))
        let before = try Data(contentsOf: place.file("a"))
        var urls = ["memory:", place.sqlite("a")]
        if let url = place.postgresql("a") { urls.append(url) }
        for url in urls {
            let outcome = try Program.run("conformance", url, "--cases", "commits/i*")
            #expect(
                outcome.output.hasPrefix("✔ commits/insert: ") && outcome.output.hasSuffix("\n1 passed, 0 failed\n"))
            #expect(outcome.errors == "" && outcome.code == 0)
        }
        #expect(try Data(contentsOf: place.file("a")) == before)
        #expect(try place.names() == ["a.sqlite"])
    }

    @Test func `an unknown case is an error`() throws {
        let outcome = try Program.run("conformance", "memory:", "--cases", "nothing/*")
        #expect(outcome.errors == "coffer: There is no case 'nothing/*'.\n" && outcome.code == 2)
    }
}
