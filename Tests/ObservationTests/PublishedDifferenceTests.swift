import Coffer
import TestSupport
import Testing

private typealias Person = Town.Person

/// A program follows a published list by differences.
@MainActor
struct PublishedDifferenceTests {
    @Test(arguments: TestBackend.allCases)
    func `applying the stages of a difference produces the published list after each commit`(
        _ backend: TestBackend
    ) throws {
        let test = try Town.empty(backend)
        for (name, city) in [("Ann", "Oslo"), ("Bob", "Rome"), ("Cat", "Oslo")] { try test.add(name, city: city) }
        let list = test.stack.publishList(
            From<Person>().sectionBy(\.$city).orderBy(.ascending(\.$city), .ascending(\.$name)))
        var shown = list.snapshot
        var steps: [String] = []
        list.addObserver(test) { list in
            for stage in list.snapshot.difference(from: shown).stages {
                shown.apply(stage)
                steps.append(shown.text)
                for path in stage.itemReloads { steps.append("reload \(shown[path].$name ?? "")") }
            }
            #expect(shown.sectionIDs == list.snapshot.sectionIDs && shown.itemIDs == list.snapshot.itemIDs)
            shown = list.snapshot
        }
        // The item of another section moves into a new section.
        try test.edit("Bob") { $0.city = "Bern" }
        #expect(
            steps == [
                "Bern: , Oslo: Ann Cat, Rome: Bob", "Bern: Bob, Oslo: Ann Cat, Rome: ", "Bern: Bob, Oslo: Ann Cat",
                "Bern: Bob, Oslo: Ann Cat", "reload Bob",
            ])
        steps = []
        try test.edit("Ann") { $0.age = 7 }
        #expect(steps == ["Bern: Bob, Oslo: Ann Cat", "reload Ann"])
        steps = []
        try test.delete("Bob")
        #expect(steps == ["Oslo: Ann Cat"])
        try list.refetch(From<Person>().orderBy(.descending(\.$name)))
        #expect(shown.text == "Cat Ann")
        list.removeObserver(test)
    }
}
