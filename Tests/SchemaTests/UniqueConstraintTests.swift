import Coffer
import Foundation
import TestSupport
import Testing

/// New objects that have the same unique values as existing objects are merged into them.
@MainActor
struct UniqueConstraintTests {
    private class Member: CoreStoreObject {
        @Field.Stored("email") var email: String?
        @Field.Stored("name") var name: String = ""
        @Field.Stored("visits") var visits: Int = 1
        @Field.Relationship("posts", inverse: \.$author) var posts: Set<Post>
        @Field.Relationship("groups", inverse: \.$members) var groups: [Group]
    }

    private final class Admin: Member {
        @Field.Stored("level") var level: Int = 1
    }

    private final class Post: CoreStoreObject {
        @Field.Stored("title") var title: String = ""
        @Field.Relationship("author") var author: Member?
    }

    private final class Group: CoreStoreObject {
        @Field.Stored("country") var country: String?
        @Field.Stored("code") var code: Int = 0
        @Field.Stored("note") var note: String = ""
        @Field.Relationship("members") var members: [Member]
    }

    private func makeStack(_ backend: TestBackend) throws -> TestStack {
        try TestStack(
            backend,
            CoreStoreSchema(
                modelVersion: "V1",
                entities: [
                    Entity<Member>("Member", uniqueConstraints: [[\.$email]]), Entity<Admin>("Admin"),
                    Entity<Post>("Post"), Entity<Group>("Group", uniqueConstraints: [[\.$country, \.$code]]),
                ]
            )
        )
    }

    @discardableResult
    private func add(
        _ email: String?, _ name: String, _ stack: DataStack,
        _ more: (Member, BaseDataTransaction) throws -> Void = { _, _ in }
    ) throws -> ObjectID {
        try stack.perform(synchronous: { transaction in
            let member = transaction.create(Into<Member>())
            member.email = email
            member.name = name
            try more(member, transaction)
            return member.objectID()
        })
    }

    @Test(.pins("SCH-24"), arguments: TestBackend.allCases)
    func `a new object with known unique values is merged into the stored object`(_ backend: TestBackend) throws {
        let test = try makeStack(backend)
        let old = try add("a@x", "Ann", test.stack) { member, _ in member.visits = 5 }
        let ann = try #require(try test.stack.fetchOne(From<Member>()))
        let new = try add("a@x", "Anna", test.stack)
        #expect(new != old)
        #expect(try test.stack.fetchObjectIDs(From<Member>()) == [old])
        #expect(ann.name == "Anna")
        #expect(ann.visits == 1)
        #expect(ann.objectID() == old)
        try add("b@x", "Ann", test.stack)
        #expect(try test.stack.fetchCount(From<Member>()) == 2)
    }

    @Test(.pins("SCH-24"), arguments: TestBackend.allCases)
    func `the id of a merged object finds the surviving object`(_ backend: TestBackend) throws {
        let test = try makeStack(backend)
        let old = try add("a@x", "Ann", test.stack)
        let new = try add("a@x", "Anna", test.stack)
        let found: Member? = test.stack.fetchExisting(new)
        #expect(found?.objectID() == old)
        let several: [Member] = test.stack.fetchExisting([new, old])
        #expect(several.map { $0.objectID() } == [old, old])
        let returned = try test.stack.perform(synchronous: { transaction in
            let member = transaction.create(Into<Member>())
            member.email = "a@x"
            member.name = "Annie"
            return member
        })
        #expect(test.stack.fetchExisting(returned) === found)
        #expect(found?.name == "Annie")
        try test.stack.perform(synchronous: { transaction in
            try #require(transaction.edit(Into<Member>(), new)).visits = 8
        })
        #expect(found?.visits == 8)
        try test.stack.perform(synchronous: { $0.delete(objectIDs: [new]) })
        #expect(try test.stack.fetchCount(From<Member>()) == 0)
    }

    @Test(.pins("SCH-24"), arguments: TestBackend.allCases)
    func `relationships to a merged object refer to the surviving object`(_ backend: TestBackend) throws {
        let test = try makeStack(backend)
        try add("a@x", "Ann", test.stack) { member, transaction in
            let post = transaction.create(Into<Post>())
            post.title = "old"
            post.author = member
            let group = transaction.create(Into<Group>())
            group.note = "old"
            member.groups = [group]
        }
        let ann = try #require(try test.stack.fetchOne(From<Member>()))
        #expect(ann.posts.count == 1)
        #expect(ann.groups.map(\.note) == ["old"])
        try add("a@x", "Anna", test.stack) { member, transaction in
            let post = transaction.create(Into<Post>())
            post.title = "new"
            member.posts.insert(post)
            let group = transaction.create(Into<Group>())
            group.note = "new"
            group.members = [member]
        }
        #expect(Set(ann.posts.map(\.title)) == ["old", "new"])
        #expect(Set(ann.groups.map(\.note)) == ["old", "new"])
        for post in try test.stack.fetchAll(From<Post>()) { #expect(post.author === ann) }
        for group in try test.stack.fetchAll(From<Group>()) { #expect(group.members == [ann]) }
        #expect(try test.stack.fetchCount(From<Post>().where(\.$author == ann)) == 2)
        #expect(try test.stack.fetchCount(From<Post>().where((\.$author ~ \.$name) == "Anna")) == 2)
    }

    @Test(.pins("SCH-24"), arguments: TestBackend.allCases)
    func `new objects of one transaction with the same unique values are merged`(_ backend: TestBackend) throws {
        let test = try makeStack(backend)
        try test.stack.perform(synchronous: { transaction in
            for name in ["first", "second", "third"] {
                let member = transaction.create(Into<Member>())
                member.email = "a@x"
                member.name = name
                member.posts = [transaction.create(Into<Post>())]
            }
        })
        let member = try #require(try test.stack.fetchOne(From<Member>()))
        #expect(try test.stack.fetchCount(From<Member>()) == 1)
        #expect(member.name == "third")
        #expect(member.posts.count == 3)
    }

    @Test(.pins("SCH-24"), arguments: TestBackend.allCases)
    func `rows with null in a unique attribute are not merged`(_ backend: TestBackend) throws {
        let test = try makeStack(backend)
        for name in ["a", "b"] { try add(nil, name, test.stack) }
        #expect(try test.stack.fetchCount(From<Member>()) == 2)
        try test.stack.perform(synchronous: { transaction in
            for code in [1, 1, 2] { transaction.create(Into<Group>()).code = code }
        })
        #expect(try test.stack.fetchCount(From<Group>()) == 3)
    }

    @Test(.pins("SCH-24"), arguments: TestBackend.allCases)
    func `a compound constraint compares all of its values`(_ backend: TestBackend) throws {
        let test = try makeStack(backend)
        for (country, code, note) in [("de", 1, "a"), ("de", 2, "b"), ("fr", 1, "c"), ("de", 1, "d")] {
            try test.stack.perform(synchronous: { transaction in
                let group = transaction.create(Into<Group>())
                group.country = country
                group.code = code
                group.note = note
            })
        }
        let notes = try test.stack.fetchAll(From<Group>().orderBy(.ascending(\.$note))).map(\.note)
        #expect(notes == ["b", "c", "d"])
    }

    @Test(.pins("SCH-24"), arguments: TestBackend.allCases)
    func `a constraint holds over the whole inheritance tree`(_ backend: TestBackend) throws {
        let test = try makeStack(backend)
        try test.stack.perform(synchronous: { transaction in
            let admin = transaction.create(Into<Admin>())
            admin.email = "root@x"
            admin.level = 7
        })
        try add("root@x", "Root", test.stack)
        let admin = try #require(try test.stack.fetchOne(From<Member>()) as? Admin)
        #expect(admin.name == "Root")
        #expect(admin.level == 7)
        #expect(try test.stack.fetchCount(From<Member>()) == 1)
    }

    @Test(.pins("SCH-24"), arguments: TestBackend.allCases)
    func `changing an object to the unique values of another object is refused`(_ backend: TestBackend) throws {
        let test = try makeStack(backend)
        try add("a@x", "Ann", test.stack)
        try add("b@x", "Bob", test.stack)
        let bob = try #require(try test.stack.fetchOne(From<Member>().where(\.$name == "Bob")))
        let error = #expect(throws: CoreStoreError.self) {
            try test.stack.perform(synchronous: { $0.edit(bob)?.email = "a@x" })
        }
        #expect(error?.storageError?.code == .uniqueViolation)
        #expect(bob.email == "b@x")
        // Two objects may exchange their values.
        try test.stack.perform(synchronous: { transaction in
            let all = try transaction.fetchAll(From<Member>())
            let emails = all.map(\.email)
            for (member, email) in zip(all, emails.reversed()) { member.email = email }
        })
        #expect(bob.email == "a@x")
    }
}
