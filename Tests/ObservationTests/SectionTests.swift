import Coffer
import Foundation
import TestSupport
import Testing

private typealias Person = Town.Person

@MainActor
struct SectionTests {
    @Test(arguments: TestBackend.allCases)
    func `CLS-95 a section's name is the value as text`(_ backend: TestBackend) throws {
        let test = try Town.filled(backend, ["Ann": 40, "Bob": 12, "Cat": 48])
        try test.edit("Bob") { ($0.isMember, $0.mood) = (true, .init(colour: "red")) }
        func text(_ sectionBy: SectionBy<Person>, _ order: OrderBy<Person>.SortKey) -> String {
            test.stack.publishList(From<Person>().sectionBy(sectionBy).orderBy(order, .ascending(\.$name))).snapshot
                .text
        }
        #expect(text(SectionBy(\.$isMember), .ascending(\.$isMember)) == "0: Ann Cat, 1: Bob")
        #expect(text(SectionBy(\.$age), .ascending(\.$age)) == "12: Bob, 40: Ann, 48: Cat")
        #expect(text(SectionBy("name"), .descending(\.$name)) == "Cat: Cat, Bob: Bob, Ann: Ann")
        #expect(text(SectionBy(\.$decade), .ascending(\.$age)) == "1: Bob, 4: Ann Cat")
        #expect(text(SectionBy(\.$title), .ascending(\.$name)) == "The : Ann Bob Cat")
        #expect(text(SectionBy(\.$mood), .ascending(\.$name)).hasPrefix("Mood(colour: \"grey\"): Ann, Mood"))
    }

    @Test(arguments: TestBackend.allCases)
    func `CLS-95 the only title there is by default is none`(_ backend: TestBackend) throws {
        #expect(SectionBy<Person>(\.$city).sectionIndexTransformer("Oslo") == nil)
        #expect(SectionBy<Person>(\.$city).sectionIndexTransformer(nil) == nil)
        let shouting = SectionBy<Person>(\.$city, sectionIndexTransformer: { "\($0 ?? "")!" })
        #expect(shouting.sectionIndexTransformer("A") == "A!")
    }

    @Test(arguments: TestBackend.allCases)
    func `CLS-96 sections are runs in the order asked for, to which nothing is added`(_ backend: TestBackend) throws {
        let test = try Town.filled(backend, [:])
        for (name, city) in [("Ann", "Oslo"), ("Bob", "Rome"), ("Cat", "Oslo")] { try test.add(name, city: city) }
        let apart = test.stack.publishList(From<Person>().sectionBy(\.$city).orderBy(.ascending(\.$name)))
        #expect(apart.snapshot.text == "Oslo: Ann, Rome: Bob, Oslo: Cat")
        let together = test.stack.publishList(
            From<Person>().sectionBy(\.$city).orderBy(.ascending(\.$city), .ascending(\.$name)))
        #expect(together.snapshot.text == "Oslo: Ann Cat, Rome: Bob")
        try test.edit("Bob") { $0.city = "Oslo" }
        #expect(apart.snapshot.text == "Oslo: Ann Bob Cat")
        #expect(together.snapshot.text == "Oslo: Ann Bob Cat")
        try test.edit("Ann") { $0.city = "Rome" }
        #expect(together.snapshot.text == "Oslo: Bob Cat, Rome: Ann")
    }

    @Test(arguments: TestBackend.allCases)
    func `CLS-97 the section of nil has an empty name`(_ backend: TestBackend) throws {
        let test = try Town.filled(backend, ["Ann": 1, "Bob": 2])
        try test.edit("Bob") { $0.city = "Rome" }
        let list = test.stack.publishList(From<Person>().sectionBy(\.$city).orderBy(.ascending(\.$city)))
        #expect(list.snapshot.sectionIDs == ["", "Rome"])
    }

    @Test(arguments: TestBackend.allCases)
    func `CLS-95 a section may be a value at the end of a path, and follows it`(_ backend: TestBackend) throws {
        let test = try Town.filled(backend, ["Ann": 1, "Bob": 2])
        try test.stack.perform(synchronous: { transaction in
            for name in ["Ann", "Bob"] {
                let dog = transaction.create(Into<Town.Dog>())
                dog.master = try transaction.fetchOne(From<Person>().where(\.$name == name))
            }
        })
        let list = test.stack.publishList(
            From<Town.Dog>().sectionBy("master.name").orderBy(.ascending(\.$master ~ \.$name)))
        #expect(list.snapshot.sectionIDs == ["Ann", "Bob"])
        try test.edit("Ann") { $0.name = "Cat" }
        #expect(list.snapshot.sectionIDs == ["Bob", "Cat"])
    }

    @Test(arguments: TestBackend.allCases)
    func `OBS-03 a section equals itself until it changes`(_ backend: TestBackend) throws {
        let test = try Town.filled(backend, [:])
        for (name, city) in [("Ann", "Oslo"), ("Bob", "Rome")] { try test.add(name, city: city) }
        let monitor = test.stack.monitorSectionedList(
            From<Person>().sectionBy(\.$city).orderBy(.ascending(\.$city), .ascending(\.$name)))
        let before = monitor.sectionInfo(at: 0)
        #expect(before == monitor.sectionInfo(at: 0))
        #expect(before == monitor.sectionInfo(safelyAt: 0))
        #expect(before == monitor.sections()[0])
        #expect(before.hashValue == monitor.sectionInfo(at: 0).hashValue)
        #expect(before != monitor.sectionInfo(at: 1))
        try test.add("Cat", city: "Oslo")
        #expect(before != monitor.sectionInfo(at: 0))
        #expect(monitor[IndexPath(item: 1, section: 0)].name == "Cat")
        let place = IndexPath(row: 2, section: 1)
        #expect(place.section == 1 && place.item == 2 && place.row == 2)
    }
}
