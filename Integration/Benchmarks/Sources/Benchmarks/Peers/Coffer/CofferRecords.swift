import Coffer
import Foundation

enum CofferModel {
    final class Person: CoreStoreObject, PersonReadable, ImportableUniqueObject {
        @Field.Stored("name")
        var name: String = ""

        @Field.Stored("email")
        var email: String = ""

        @Field.Stored("age")
        var age: Int = 0

        @Field.Stored("score")
        var score: Double = 0

        @Field.Stored("active")
        var active: Bool = false

        @Field.Stored("createdAt")
        var createdAt: Date = Date(timeIntervalSince1970: 0)

        @Field.Stored("bio")
        var bio: String?

        var isIdentified: Bool { cs_id().key != 0 }

        static var uniqueIDKeyPath: String { "email" }

        static func uniqueID(from source: PersonSample, in transaction: BaseDataTransaction) throws -> String? {
            source.email
        }

        func update(from source: PersonSample, in transaction: BaseDataTransaction) throws {
            name = source.name
            age = source.age
            score = source.score
            active = source.active
            createdAt = source.createdAt
            bio = source.bio
        }

        func fill(from sample: PersonSample) {
            name = sample.name
            email = sample.email
            age = sample.age
            score = sample.score
            active = sample.active
            createdAt = sample.createdAt
            bio = sample.bio
        }
    }

    final class Item: CoreStoreObject, ItemReadable {
        @Field.Stored("a") var a: Int = 0
        @Field.Stored("b") var b: Int = 0
        @Field.Stored("c") var c: Int = 0
        @Field.Stored("d") var d: Int = 0
        @Field.Stored("e") var e: Int = 0
        @Field.Stored("f") var f: Int = 0
        @Field.Stored("g") var g: Int = 0
        @Field.Stored("h") var h: Int = 0
        @Field.Stored("i") var i: Int = 0
        @Field.Stored("j") var j: Int = 0

        var isIdentified: Bool { cs_id().key != 0 }

        func fill(from sample: ItemSample) {
            (a, b, c, d, e) = (sample.a, sample.b, sample.c, sample.d, sample.e)
            (f, g, h, i, j) = (sample.f, sample.g, sample.h, sample.i, sample.j)
        }
    }

    final class Parent: CoreStoreObject {
        @Field.Stored("name")
        var name: String = ""

        @Field.Relationship("children", inverse: \.$parent)
        var children: Set<Child>
    }

    final class Child: CoreStoreObject {
        @Field.Stored("name")
        var name: String = ""

        @Field.Stored("value")
        var value: Int = 0

        @Field.Relationship("parent")
        var parent: Parent?
    }

    static func schema() -> CoreStoreSchema {
        CoreStoreSchema(
            modelVersion: "V1",
            entities: [
                Entity<Person>("Person", indexes: [[\.$name]], uniqueConstraints: [[\.$email]]),
                Entity<Item>("Item"),
                Entity<Parent>("Parent"),
                Entity<Child>("Child"),
            ]
        )
    }
}
