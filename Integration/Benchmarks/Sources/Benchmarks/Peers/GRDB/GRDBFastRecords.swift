import Foundation
import GRDB

extension GRDBFastPeer {
    // Sendable: only one thread at a time uses the records of a request.
    final class Person: FetchableRecord, PersonReadable, @unchecked Sendable {
        var id: Int64
        var name: String
        var email: String
        var age: Int
        var score: Double
        var active: Bool
        var createdAt: Date
        var bio: String?

        init(_ sample: PersonSample) {
            id = 0
            name = sample.name
            email = sample.email
            age = sample.age
            score = sample.score
            active = sample.active
            createdAt = sample.createdAt
            bio = sample.bio
        }

        init(row: Row) {
            id = row[0]
            name = row[1]
            email = row[2]
            age = row[3]
            score = row[4]
            active = row[5]
            createdAt = Date(timeIntervalSince1970: row[6])
            bio = row[7]
        }

        var isIdentified: Bool { id != 0 }

        /// The arguments of `SQLSchema.insertPerson`.
        var arguments: StatementArguments {
            [name, email, age, score, active, createdAt.timeIntervalSince1970, bio]
        }
    }

    final class Item: FetchableRecord, ItemReadable {
        var id: Int64
        var a, b, c, d, e, f, g, h, i, j: Int

        init(_ sample: ItemSample) {
            id = 0
            (a, b, c, d, e) = (sample.a, sample.b, sample.c, sample.d, sample.e)
            (f, g, h, i, j) = (sample.f, sample.g, sample.h, sample.i, sample.j)
        }

        init(row: Row) {
            id = row[0]
            (a, b, c, d, e) = (row[1], row[2], row[3], row[4], row[5])
            (f, g, h, i, j) = (row[6], row[7], row[8], row[9], row[10])
        }

        var isIdentified: Bool { id != 0 }

        /// The arguments of `SQLSchema.insertItem`.
        var arguments: StatementArguments { [a, b, c, d, e, f, g, h, i, j] }
    }

    final class Parent: FetchableRecord {
        let id: Int64
        let name: String
        var children: [Child] = []

        init(row: Row) {
            id = row[0]
            name = row[1]
        }
    }

    final class Child: FetchableRecord {
        let parentId: Int64
        let id: Int64
        let name: String
        let value: Int

        init(row: Row) {
            id = row[0]
            parentId = row[1]
            name = row[2]
            value = row[3]
        }
    }
}
