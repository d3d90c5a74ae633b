import Coffer
import TestSupport
import Testing

/// Stages that reload the items of an edited snapshot.
@MainActor
struct EditedReloadTests {
    @Test func `applying a stage with many reloads to an edited snapshot marks all items as updated`() throws {
        let test = try Town.empty(.memory)
        try test.stack.perform(synchronous: { transaction in
            for number in 0..<400 {
                let person = transaction.create(Into<Town.Person>())
                (person.name, person.city) = ("\(number)", "City \(1_000 + number / 2)")
            }
        })
        let list = test.stack.publishList(
            From<Town.Person>().sectionBy(\.$city).orderBy(.ascending(\.$city), .ascending(\.$name)))
        var shown = list.snapshot
        shown.appendSections(withIDs: ["End"])
        let edited = shown
        var reloaded = shown
        reloaded.reloadItems(withIDs: shown.itemIDs)
        let stages = reloaded.difference(from: edited).stages
        #expect(stages.count == 1 && stages[0].itemReloads.count == 400)
        for stage in stages { shown.apply(stage) }
        #expect(shown.updatedItemIdentifiers == Set(edited.itemIDs) && shown.itemIDs == edited.itemIDs)
        #expect(shown != edited)
    }
}
