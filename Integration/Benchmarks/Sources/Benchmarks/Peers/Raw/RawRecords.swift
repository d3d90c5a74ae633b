import Foundation

extension RawPeer {
    final class Person: PersonReadable {
        var id: Int
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

        @inline(__always)
        init(
            id: Int, name: String, email: String, age: Int, score: Double, active: Bool, createdAt: Date, bio: String?
        ) {
            self.id = id
            self.name = name
            self.email = email
            self.age = age
            self.score = score
            self.active = active
            self.createdAt = createdAt
            self.bio = bio
        }

        @inline(__always)
        init(_ row: RawStatement) {
            id = row.integer(0)
            name = row.text(1)
            email = row.text(2)
            age = row.integer(3)
            score = row.double(4)
            active = row.integer(5) != 0
            createdAt = Date(timeIntervalSince1970: row.double(6))
            bio = row.textOrNil(7)
        }

        var isIdentified: Bool { id != 0 }
    }

    final class Item: ItemReadable {
        var id: Int
        var a, b, c, d, e, f, g, h, i, j: Int

        init(_ sample: ItemSample) {
            id = 0
            (a, b, c, d, e) = (sample.a, sample.b, sample.c, sample.d, sample.e)
            (f, g, h, i, j) = (sample.f, sample.g, sample.h, sample.i, sample.j)
        }

        /// - Parameter values: returns the value of a column; the columns are numbered from 1.
        @inline(__always)
        init(id: Int, values: (Int32) -> Int) {
            self.id = id
            (a, b, c, d, e) = (values(1), values(2), values(3), values(4), values(5))
            (f, g, h, i, j) = (values(6), values(7), values(8), values(9), values(10))
        }

        @inline(__always)
        init(_ row: RawStatement) {
            id = row.integer(0)
            (a, b, c, d, e) = (row.integer(1), row.integer(2), row.integer(3), row.integer(4), row.integer(5))
            (f, g, h, i, j) = (row.integer(6), row.integer(7), row.integer(8), row.integer(9), row.integer(10))
        }

        var isIdentified: Bool { id != 0 }
    }

    final class Parent {
        let id: Int
        let name: String
        var children: [Child] = []

        @inline(__always)
        init(id: Int, name: String) {
            self.id = id
            self.name = name
        }

        @inline(__always)
        init(_ row: RawStatement) {
            id = row.integer(0)
            name = row.text(1)
        }
    }

    final class Child {
        let id: Int
        let name: String
        let value: Int

        @inline(__always)
        init(id: Int, name: String, value: Int) {
            self.id = id
            self.name = name
            self.value = value
        }

        @inline(__always)
        init(_ row: RawStatement) {
            id = row.integer(0)
            name = row.text(2)
            value = row.integer(3)
        }
    }
}
