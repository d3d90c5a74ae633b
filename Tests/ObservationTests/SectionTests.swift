import Coffer
import Foundation
import TestSupport
import Testing

private typealias Person = Town.Person

@MainActor
struct SectionTests {
    @Test(.pins("CLS-95"), arguments: TestBackend.allCases)
    func `the name of a section is the string of its value`(_ backend: TestBackend) throws {
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
        #expect(text(SectionBy(\.$mood), .ascending(\.$name)).hasPrefix("Mood(colour: \"grey\"): Ann Cat, Mood"))
    }

    @Test(.pins("CLS-95"), arguments: TestBackend.allCases)
    func `sections have no index title by default`(_ backend: TestBackend) throws {
        #expect(SectionBy<Person>(\.$city).sectionIndexTransformer("Oslo") == nil)
        #expect(SectionBy<Person>(\.$city).sectionIndexTransformer(nil) == nil)
        let shouting = SectionBy<Person>(\.$city, sectionIndexTransformer: { "\($0 ?? "")!" })
        #expect(shouting.sectionIndexTransformer("A") == "A!")
    }

    @Test(.pins("CLS-96"), arguments: TestBackend.allCases)
    func `objects of one section are grouped even if the order separates them`(_ backend: TestBackend) throws {
        let test = try Town.filled(backend, [:])
        for (name, city) in [("Ann", "Oslo"), ("Bob", "Rome"), ("Cat", "Oslo")] { try test.add(name, city: city) }
        let apart = test.stack.publishList(From<Person>().sectionBy(\.$city).orderBy(.ascending(\.$name)))
        #expect(apart.snapshot.text == "Oslo: Ann Cat, Rome: Bob")
        let together = test.stack.publishList(
            From<Person>().sectionBy(\.$city).orderBy(.ascending(\.$city), .ascending(\.$name)))
        #expect(together.snapshot.text == "Oslo: Ann Cat, Rome: Bob")
        try test.edit("Bob") { $0.city = "Oslo" }
        #expect(apart.snapshot.text == "Oslo: Ann Bob Cat")
        #expect(together.snapshot.text == "Oslo: Ann Bob Cat")
        try test.edit("Ann") { $0.city = "Rome" }
        #expect(together.snapshot.text == "Oslo: Bob Cat, Rome: Ann")
        #expect(apart.snapshot.text == "Rome: Ann, Oslo: Bob Cat")
    }

    @Test(.pins("CLS-96"), arguments: TestBackend.allCases)
    func `a list never has two sections with the same name`(_ backend: TestBackend) throws {
        let test = try Town.filled(backend, ["Ann": 10, "Bob": 20, "Cat": 30, "Dan": 40])
        for name in ["Ann", "Bob"] { try test.edit(name) { $0.city = "Oslo" } }
        for name in ["Cat", "Dan"] { try test.edit(name) { $0.city = "Rome" } }
        let from = From<Person>().sectionBy(\.$city).orderBy(.ascending(\.$name))
        let (list, monitor) = (test.stack.publishList(from), test.stack.monitorSectionedList(from))
        let transcript = ListTranscript()
        monitor.addObserver(transcript)
        func texts() -> Set<String> { [list.snapshot.text, monitor.text] }
        #expect(texts() == ["Oslo: Ann Bob, Rome: Cat Dan"])
        try test.add("Bea", city: "Rome")
        #expect(texts() == ["Oslo: Ann Bob, Rome: Bea Cat Dan"])
        #expect(
            transcript.take() == [
                "will Oslo: Ann Bob, Rome: Cat Dan", "insert Bea @1,0", "did Oslo: Ann Bob, Rome: Bea Cat Dan",
            ])
        try test.add("Eve", city: "Oslo")
        #expect(texts() == ["Oslo: Ann Bob Eve, Rome: Bea Cat Dan"])
        #expect(list.snapshot.items(inSectionWithID: "Oslo").map { $0.$name } == ["Ann", "Bob", "Eve"])
        let eve = try #require(try test.person("Eve"))
        #expect(monitor.indexPath(of: eve) == [0, 2] && monitor[0, 2] === eve && monitor.index(of: eve) == 2)
        #expect(list.snapshot.indexOfItem(withID: eve.objectID()) == 2)
        try test.edit("Eve") { $0.age = 50 }
        #expect(transcript.take().suffix(2) == ["update Eve @0,2", "did Oslo: Ann Bob Eve, Rome: Bea Cat Dan"])
        for name in ["Bob", "Eve"] { try test.delete(name) }
        #expect(texts() == ["Oslo: Ann, Rome: Bea Cat Dan"])
        try test.edit("Ann") { $0.name = "Zoe" }
        #expect(texts() == ["Rome: Bea Cat Dan, Oslo: Zoe"])
    }

    @Test(.pins("FLD-22", "CLS-96"), arguments: TestBackend.allCases)
    func `sections by a memoised virtual field follow the fields that the value depends on`(
        _ backend: TestBackend
    ) throws {
        let test = try TestStack(backend, Palette.schema)
        try test.stack.perform(synchronous: { transaction in
            for hue in [10, 20, 110, 120] { transaction.create(Into<Palette>()).hue = hue }
        })
        let from = From<Palette>().sectionBy(\.$group).orderBy(.ascending(\.$hue))
        let list = test.stack.publishList(from)
        let monitor = test.stack.monitorSectionedList(from)
        func text() -> String {
            let sections = list.snapshot.sections()
            let shown = sections.map { "\($0.sectionID): \($0.map { $0.snapshot?.$hue ?? -1 })" }
            let monitored = monitor.sections().map { section in
                "\(section.name): \((section.objects ?? []).map { ($0 as? Palette)?.hue ?? -1 })"
            }
            #expect(shown == monitored)
            return shown.joined(separator: ", ")
        }
        let live = try test.stack.fetchAll(From<Palette>().orderBy(.ascending(\.$hue)))
        #expect(live.map(\.group) == ["0", "0", "1", "1"])
        #expect(text() == "0: [10, 20], 1: [110, 120]")
        try test.stack.perform(synchronous: { try $0.fetchOne(From<Palette>().where(\.$hue == 10))?.hue = 130 })
        #expect(live.map(\.group) == ["1", "0", "1", "1"])
        #expect(text() == "0: [20], 1: [110, 120, 130]")
        try test.stack.perform(synchronous: { transaction in
            for palette in try transaction.fetchAll(From<Palette>()) { palette.hue = 200 - palette.hue }
        })
        #expect(live.map(\.group) == live.map { "\($0.hue / 100)" })
        #expect(text() == "0: [70, 80, 90], 1: [180]")
    }

    @Test(.pins("CLS-97"), arguments: TestBackend.allCases)
    func `the section of nil has an empty name`(_ backend: TestBackend) throws {
        let test = try Town.filled(backend, ["Ann": 1, "Bob": 2])
        try test.edit("Bob") { $0.city = "Rome" }
        let list = test.stack.publishList(From<Person>().sectionBy(\.$city).orderBy(.ascending(\.$city)))
        #expect(list.snapshot.sectionIDs == ["", "Rome"])
    }

    @Test(.pins("CLS-95"), arguments: TestBackend.allCases)
    func `a section can be a value at the end of a path and follows changes of the value`(_ backend: TestBackend) throws
    {
        let test = try Town.filled(backend, ["Ann": 1, "Bob": 2])
        try test.stack.perform(synchronous: { transaction in
            for name in ["Ann", "Bob"] {
                let dog = transaction.create(Into<Town.Pet>())
                dog.master = try transaction.fetchOne(From<Person>().where(\.$name == name))
            }
        })
        let list = test.stack.publishList(
            From<Town.Pet>().sectionBy("master.name").orderBy(.ascending(\.$master ~ \.$name)))
        #expect(list.snapshot.sectionIDs == ["Ann", "Bob"])
        try test.edit("Ann") { $0.name = "Cat" }
        #expect(list.snapshot.sectionIDs == ["Bob", "Cat"])
    }

    @Test(.pins("OBS-03"), arguments: TestBackend.allCases)
    func `a section equals itself until its content changes`(_ backend: TestBackend) throws {
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

    @Test(.pins("OBS-03"), arguments: TestBackend.allCases)
    func `a section equals the section that observers received`(_ backend: TestBackend) throws {
        let test = try Town.filled(backend, [:])
        try test.add("Ann", city: "Oslo")
        let monitor = test.stack.monitorSectionedList(
            From<Person>().sectionBy(\.$city, sectionIndexTransformer: { $0?.first.map(String.init) })
                .orderBy(.ascending(\.$city), .ascending(\.$name)))
        let observer = SectionKeeper()
        monitor.addObserver(observer)
        try test.stack.perform(synchronous: { transaction in
            for (name, city) in [("Bob", "Bern"), ("Cat", "Bern"), ("Dan", "Rome")] {
                let person = transaction.create(Into<Person>())
                (person.name, person.city) = (name, city)
            }
        })
        #expect(observer.inserted.map(\.index).sorted() == [0, 2])
        for (info, index, whenTold) in observer.inserted {
            #expect(info == whenTold)
            #expect(info == monitor.sectionInfo(at: index))
            #expect(info.hashValue == monitor.sectionInfo(at: index).hashValue)
            #expect(info == monitor.sections()[index] && info != monitor.sectionInfo(at: 1))
            #expect(info.indexTitle == ["B", "O", "R"][index] && info.numberOfObjects == [2, 1, 1][index])
        }
        try test.add("Eve", city: "Bern")
        for (info, index, _) in observer.inserted {
            #expect((info == monitor.sectionInfo(at: index)) == (info.name == "Rome"))
        }
        monitor.removeObserver(observer)
    }
}

/// An observer that keeps each reported section, and the section that the monitor has at its index.
private final class SectionKeeper: ListSectionObserver {
    typealias ListEntityType = Town.Person

    var inserted: [(info: SectionInfo, index: Int, whenTold: SectionInfo)] = []

    func listMonitorDidChange(_ monitor: ListMonitor<Person>) {}
    func listMonitorDidRefetch(_ monitor: ListMonitor<Person>) {}
    func listMonitor(
        _ monitor: ListMonitor<Person>, didInsertSection sectionInfo: SectionInfo, toSectionIndex index: Int
    ) {
        inserted.append((sectionInfo, index, monitor.sectionInfo(at: index)))
    }
}

/// A model like the one in CoreStore's demo of colours.
private final class Palette: CoreStoreObject {
    @Field.Stored("hue") var hue: Int = 0
    @Field.Virtual(
        "group",
        customGetter: { object, field in
            if let known = field.primitiveValue { return known }
            let made = "\(object.$hue.value / 100)"
            field.primitiveValue = made
            return made
        })
    var group: String

    static let schema = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Palette>("Palette")])
}
