import Coffer
import CofferStorage
import Foundation
import TestSupport
import Testing

/// The declarations that `Field` replaced.
@MainActor
struct LegacyFieldTests {
    @available(*, deprecated)
    @Test(.pins("LEG-01")) func `legacy declarations create the same model as fields`() throws {
        var (legacy, modern) = (LegacyModel.legacy.rawModel().storeModel, LegacyModel.modern.rawModel().storeModel)
        #expect(legacy.versionHashes == modern.versionHashes)
        // Archives of equal objects differ, so the decoded values of this default are compared.
        let tags = try [legacy, modern].map { model in
            let dog = try #require(model.entity(named: "Dog"))
            guard case .blob(let data) = dog.attributes.first(where: { $0.name == "tags" })?.defaultValue else {
                return nil as NSArray?
            }
            return try FieldCoders.NSCoding<NSArray>.decoded(data)
        }
        #expect(tags == [["new"], ["new"]])
        for entity in legacy.entities.indices {
            legacy.entities[entity].attributes.removeAll { $0.name == "tags" }
            modern.entities[entity].attributes.removeAll { $0.name == "tags" }
        }
        #expect(legacy == modern)
        #expect(String(keyPath: \LegacyDog.species) == "species")
        #expect(String(keyPath: \LegacyDog.master) == "master")
    }

    @available(*, deprecated)
    @Test(.pins("LEG-01"), arguments: TestBackend.allCases)
    func `legacy classes and classes with fields read each other's data`(_ backend: TestBackend) throws {
        let born = Date(timeIntervalSinceReferenceDate: 7)
        let modern = try ReopenedStore(backend, LegacyModel.legacy, LegacyModel.modern) { transaction in
            let ann = transaction.create(Into<LegacyPerson>())
            ann.name.value = "Ann"
            for name in ["Rex", "Bella"] {
                let dog = transaction.create(Into<LegacyDog>())
                dog.name.value = name
                dog.born.value = born
                dog.age.value = nil
                dog.mood.value = .angry
                dog.tags.value = ["a", 1]
                dog.owner.value = "Ann"
                ann.pets.value.append(dog)
            }
        }
        let ann = try #require(try modern.stack.fetchOne(From<ModernPerson>()))
        #expect(ann.pets.map(\.name) == ["Rex", "Bella"])
        let rex = try #require(ann.pets.first)
        #expect(rex.species == "animal")
        #expect(rex.born == born)
        #expect(rex.age == nil)
        #expect(rex.mood == "angry")
        #expect(rex.tags == ["a", 1])
        #expect(rex.owner == "Ann")
        #expect(rex.shout == "hey")
        let legacy = try ReopenedStore(backend, LegacyModel.modern, LegacyModel.legacy) { transaction in
            let dog = transaction.create(Into<ModernDog>())
            dog.tags = ["b"]
            dog.mood = "furious"
            dog.master = transaction.create(Into<ModernPerson>())
        }
        let dog = try #require(try legacy.stack.fetchOne(From<LegacyDog>()))
        #expect(dog.tags.value == ["b"])
        #expect(dog.age.value == 1)
        #expect(dog.owner.value == nil)
        #expect(dog.master.value?.pets.value == [dog])
        // A raw value that the enumeration does not know reads as the default.
        let log = RecordingLogger.record("LegacyDog.mood") { #expect(dog.mood.value == .calm) }
        #expect(log.messages(.warning).count == 1)
    }

    @available(*, deprecated)
    @Test(.pins("LEG-02"), arguments: TestBackend.allCases)
    func `legacy properties are set and compared with their own operators`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, LegacyModel.legacy)
        try test.stack.perform(synchronous: { transaction in
            let (rex, bella) = (transaction.create(Into<LegacyDog>()), transaction.create(Into<LegacyDog>()))
            let (ann, ben) = (transaction.create(Into<LegacyPerson>()), transaction.create(Into<LegacyPerson>()))
            rex.name .= "Rex"
            bella.name .= rex.name
            #expect(bella.name .== "Rex")
            #expect("Rex" .== bella.name)
            #expect(rex.name .== bella.name)
            rex.age .= nil
            bella.age .= rex.age
            #expect(bella.age .== nil)
            #expect(bella.age .== rex.age)
            bella.tags .= ["x"]
            rex.tags .= bella.tags
            rex.owner .= "Ann"
            bella.owner .= rex.owner
            #expect(rex.tags.value == ["x"])
            #expect(bella.owner.value == "Ann")
            ann.name .= "Ann"
            ben.name .= "Ben"
            rex.master .= ann
            bella.master .= rex.master
            #expect(bella.master .== ann)
            #expect(rex.master .== bella.master)
            #expect(ann.pets .== [rex, bella])
            ann.pets .= [bella, rex]
            #expect(ann.pets.map(\.name.value).count == 2)
            #expect(ann.pets[0] == bella)
            #expect(Array(ann.pets) == [bella, rex])
            ben.spouse .= ann
            #expect(ann.spouseOf .== ben)
            rex.friends .= [bella]
            #expect(bella.friendOf .== [rex])
            #expect(bella.friendOf.count == 1)
            #expect(!rex.friends.isEmpty)
            #expect(rex.friends .== Set([bella]))
            bella.friends .= rex.friends
            #expect(Set(bella.friends) == [bella])
        })
        #expect(try test.stack.fetchCount(From<LegacyDog>().where(\.name == "Rex")) == 2)
        // The rules of access are the same as for fields.
        let dog = try #require(try test.stack.fetchOne(From<LegacyDog>()))
        let log = RecordingLogger.record("'LegacyDog' cannot be changed") {
            dog.name.value = "refused"
            dog.barks.value = 4
            dog.tags.value = []
        }
        #expect(log.assertions.count == 3)
        #expect(dog.name.value == "Rex")
    }

    @available(*, deprecated)
    @Test(.pins("LEG-03"), arguments: TestBackend.allCases)
    func `transient properties are not stored, and accessors use partial objects`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, LegacyModel.legacy)
        try test.stack.perform(synchronous: { transaction in
            let dog = transaction.create(Into<LegacyDog>())
            #expect(dog.barks.value == 3)
            dog.barks.value += 1
            dog.note.value = "kept here"
            #expect(dog.barks.value == 4)
            #expect(dog.note.value == "kept here")
            #expect(dog.shout.value == "HEY")
            dog.shout.value = "ho"
            #expect(dog.shout.value == "HO!")
            #expect(dog.label.value == "dog animal")
            dog.name.value = "Rex"
            #expect(dog.label.value == "dog animal")
            dog.label.value = nil
            #expect(dog.label.value == "Rex animal")
        })
        let dog = try #require(try test.stack.fetchOne(From<LegacyDog>()))
        #expect(dog.barks.value == 3)
        #expect(dog.note.value == nil)
        #expect(dog.shout.value == "HO!")
        #expect(dog.label.value == "Rex animal")
        #expect(try test.stack.fetchCount(From<LegacyDog>().where(Where("shout", isEqualTo: "ho!"))) == 1)
        let partial = dog.partialObject()
        #expect(partial.value(for: { $0.shout }) == "HO!")
        #expect(partial.primitiveValue(for: { $0.shout }) == "ho!")
        #expect(partial.primitiveValue(for: { $0.tags }) == ["new"])
        #expect(partial.primitiveValue(for: { $0.owner }) == nil)
        try test.stack.perform(synchronous: { transaction in
            let partial = try #require(transaction.edit(dog)).partialObject()
            partial.setValue("a", for: { $0.shout })
            partial.setValue(5, for: { $0.age })
            partial.setPrimitiveValue(["z"], for: { $0.tags })
            partial.setPrimitiveValue(nil, for: { $0.owner })
            partial.setValue(.angry, for: { $0.mood })
        })
        #expect(dog.shout.value == "A!")
        #expect(dog.age.value == 5)
        #expect(dog.tags.value == ["z"])
        #expect(dog.mood.value == .angry)
    }

    @available(*, deprecated)
    @Test(.pins("LEG-03"), arguments: TestBackend.allCases)
    func `a property returns its default after its object is released`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, LegacyModel.legacy)
        var name: ValueContainer<LegacyDog>.Required<String>?
        try test.stack.perform(synchronous: { transaction in
            let dog = transaction.create(Into<LegacyDog>())
            dog.name.value = "Rex"
            name = dog.name
        })
        let log = RecordingLogger.record("'name' was used after its object") { #expect(name?.value == "dog") }
        #expect(log.assertions.count == 1)
        let meta = RecordingLogger.record("'name' belongs to a meta object") {
            _ = Where<LegacyDog>({ Where<LegacyDog>($0.name.value == "dog") })
        }
        #expect(meta.assertions.count == 1)
    }

    @available(*, deprecated)
    @Test(.pins("LEG-05"), arguments: TestBackend.allCases)
    func `clauses accept legacy properties`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, LegacyModel.legacy)
        try test.stack.perform(synchronous: { transaction in
            let ann = transaction.create(Into<LegacyPerson>())
            ann.name.value = "Ann"
            for (name, age) in [("Rex", 3), ("Bella", nil), ("Cleo", 9)] {
                let dog = transaction.create(Into<LegacyDog>())
                dog.name.value = name
                dog.age.value = age
                if name != "Rex" { dog.master.value = ann }
                dog.mood.value = name == "Cleo" ? .angry : .calm
            }
        })
        let stack = test.stack
        let ann = try #require(try stack.fetchOne(From<LegacyPerson>()))
        func names(_ condition: Where<LegacyDog>) throws -> [String] {
            try stack.fetchAll(From<LegacyDog>().where(condition).orderBy(.ascending(\.name))).map(\.name.value)
        }
        #expect(try names(\.name == "Rex") == ["Rex"])
        #expect(try names(\.name != "Rex" && \.age > 3) == ["Cleo"])
        #expect(try names(\.age == nil || \.age <= 3) == ["Bella", "Rex"])
        #expect(try names(\.name >= "Cleo") == ["Cleo", "Rex"])
        #expect(try names(["Rex", "Cleo"] ~= \.name && [3] ~= \.age) == ["Rex"])
        #expect(try names(\.mood == .angry) == ["Cleo"])
        #expect(try names(\.species == "animal" && \.name < "C") == ["Bella"])
        #expect(try names(\.master == ann) == ["Bella", "Cleo"])
        #expect(try names(\.master != ann) == ["Rex"])
        #expect(try names([ann] ~= \.master) == ["Bella", "Cleo"])
        #expect(try names((\.master ~ \.name) == "Ann") == ["Bella", "Cleo"])
        #expect(try names((\.master ~ \.pets ~ \.age).max() == 9) == ["Bella", "Cleo"])
        #expect(try names((\.master ~ \.pets).count() == 2) == ["Bella", "Cleo"])
        #expect(try names(Where { $0.name == "Rex" || $0.age >= 9 }) == ["Cleo", "Rex"])
        #expect(try names(Where { $0.master == ann && $0.age != 9 }) == ["Bella"])
        #expect(try names(Where(\.name, isEqualTo: "Rex") || Where(\.age, isMemberOf: [9])) == ["Cleo", "Rex"])
        #expect(try names(Where(\.master, isEqualTo: ann.objectID())) == ["Bella", "Cleo"])
        #expect(try names(Where(\.age, isEqualTo: nil)) == ["Bella"])
        let byAge = From<LegacyDog>().orderBy(.descending(\.age), .ascending(\.name))
        #expect(try stack.fetchAll(byAge).map(\.name.value) == ["Cleo", "Rex", "Bella"])
        #expect(try stack.queryValue(From<LegacyDog>().select(\.age).where(\.name == "Cleo")) == 9)
        #expect(try stack.queryValue(From<LegacyDog>(), Select<LegacyDog, Int>(.maximum(\.age))) == 9)
        #expect(
            try stack.queryValue(From<LegacyDog>(), Select<LegacyDog, String>(\.name), Where<LegacyDog>(\.age == 3))
                == "Rex")
        let groups = try stack.queryAttributes(
            From<LegacyDog>().select(NSDictionary.self, .attribute(\.mood), .count(\.name)).groupBy(\.mood)
        )
        #expect(Set(groups.compactMap { $0["mood"] as? String }) == ["calm", "angry"])
        let error = #expect(throws: CoreStoreError.self) {
            try stack.fetchAll(From<LegacyDog>().orderBy(.ascending(\.tags)))
        }
        #expect(error?.storageError?.message.hasPrefix("'Dog.tags' is a coded field, which can only be") == true)
    }

    @available(*, deprecated)
    @Test(.pins("LEG-06"), arguments: TestBackend.allCases)
    func `a class can have legacy properties and fields`(_ backend: TestBackend) throws {
        class Base: CoreStoreObject {
            @Field.Stored("first") var first: Int = 1
            let second = Value.Required<Int>("second", initial: 2)
        }
        final class Mixed: Base {
            let third = Value.Required<Int>("third", initial: 3)
            @Field.Stored("fourth") var fourth: Int = 4
            @Field.Virtual("fifth") var fifth: Int?
            let sixth = Value.Optional<Int>("sixth", initial: 6, isTransient: true)
            @Field.Coded("seventh", coder: FieldCoders.Json.self) var seventh: [Int] = [7]
        }
        let test = try TestStack(
            backend, CoreStoreSchema(modelVersion: "V1", entities: [Entity<Base>("Base"), Entity<Mixed>("Mixed")])
        )
        try test.stack.perform(synchronous: { transaction in
            let mixed = transaction.create(Into<Mixed>())
            mixed.first *= 10
            mixed.second.value *= 10
            mixed.third.value *= 10
            mixed.fourth *= 10
            mixed.fifth = 50
            mixed.sixth.value = 60
            mixed.seventh.append(70)
            #expect(mixed.fifth == 50)
            #expect(mixed.sixth.value == 60)
        })
        let mixed = try #require(try test.stack.fetchOne(From<Base>().where(\.second == 20)) as? Mixed)
        let numbers: [Int] = [mixed.first, mixed.second.value, mixed.third.value, mixed.fourth]
        #expect(numbers == [10, 20, 30, 40])
        #expect(mixed.fifth == nil)
        #expect(mixed.sixth.value == 6)
        #expect(mixed.seventh == [7, 70])
    }
}
