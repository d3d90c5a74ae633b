import Coffer
import Foundation
import TestSupport
import Testing

/// A format string has the same result in a fetch and in the evaluation of a dictionary.
@MainActor
struct FormatDifferenceTests {
    private typealias Pet = Town.Pet

    private func dictionary(_ pet: Pet, _ depth: Int = 2) -> [String: Any] {
        var entries: [String: Any] = ["name": pet.name, "weight": pet.weight, "price": pet.price]
        entries["species"] = pet.species
        entries["age"] = pet.age
        entries["born"] = pet.born
        entries["master"] = pet.master.map { master in
            ["name": master.name, "age": master.age, "city": master.city as Any] as [String: Any]
        }
        if depth > 0 { entries["friends"] = pet.friends.map { dictionary($0, depth - 1) } }
        return entries
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `a fetch and an evaluation with dictionaries agree about random conditions`(_ seed: UInt64) throws {
        let test = try Town.filledWithPets(.memory)
        let pets = try test.stack.fetchAll(From<Pet>())
        let dictionaries = pets.map { dictionary($0) }
        var random = RandomCondition(seed: seed)
        var found = 0
        for _ in 0..<200 {
            let format = random.condition(3)
            let note = Comment(rawValue: "seed \(seed): \(format)")
            do {
                let condition = try PredicateFormat(format)
                let fetched = Set(try test.stack.fetchAll(From<Pet>(), Where<Pet>(format: condition)).map(\.name))
                let matching = try dictionaries.filter { try condition.evaluate(with: $0) }
                #expect(fetched == Set(matching.compactMap { $0["name"] as? String }), note)
                if !fetched.isEmpty, fetched.count < pets.count { found += 1 }
            } catch {
                Issue.record("\(note): \(error)")
            }
        }
        #expect(found > 25)
    }
}
