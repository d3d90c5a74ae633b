import Foundation
import GRDB

extension GRDBPeer {
    struct Person: Codable, FetchableRecord, MutablePersistableRecord, PersonReadable {
        enum Columns {
            static var name: Column { Column(CodingKeys.name) }
            static var email: Column { Column(CodingKeys.email) }
            static var age: Column { Column(CodingKeys.age) }
            static var score: Column { Column(CodingKeys.score) }
        }

        static let databaseTableName = "person"

        var id: Int64?
        var name: String
        var email: String
        var age: Int
        var score: Double
        var active: Bool
        var createdAt: Date
        var bio: String?

        init(_ sample: PersonSample) {
            name = sample.name
            email = sample.email
            age = sample.age
            score = sample.score
            active = sample.active
            createdAt = sample.createdAt
            bio = sample.bio
        }

        mutating func didInsert(_ inserted: InsertionSuccess) {
            id = inserted.rowID
        }

        var isIdentified: Bool { id != nil }
    }

    struct Item: Codable, FetchableRecord, MutablePersistableRecord, ItemReadable {
        static let databaseTableName = "item"

        var id: Int64?
        var a, b, c, d, e, f, g, h, i, j: Int

        init(_ sample: ItemSample) {
            (a, b, c, d, e) = (sample.a, sample.b, sample.c, sample.d, sample.e)
            (f, g, h, i, j) = (sample.f, sample.g, sample.h, sample.i, sample.j)
        }

        mutating func didInsert(_ inserted: InsertionSuccess) {
            id = inserted.rowID
        }

        var isIdentified: Bool { id != nil }
    }

    struct Parent: Codable, FetchableRecord, TableRecord {
        static let databaseTableName = "parent"
        static let children = hasMany(Child.self).forKey("children")

        var id: Int64
        var name: String
    }

    struct Child: Codable, FetchableRecord, TableRecord {
        static let databaseTableName = "child"

        var id: Int64
        var parentId: Int64
        var name: String
        var value: Int
    }

    struct Family: Decodable, FetchableRecord {
        var parent: Parent
        var children: [Child]
    }
}
