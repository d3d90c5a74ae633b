import Coffer
import Foundation
import TestSupport
import Testing

/// The effects of a deletion on related objects.
@MainActor
struct DeleteRuleTests {
    private final class Team: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
        @Field.Relationship("players", inverse: \.$team, deleteRule: .deny) var players: Set<Player>
        @Field.Relationship("badge", inverse: \.$team, deleteRule: .cascade) var badge: Badge?
        @Field.Relationship("sponsors", inverse: \.$teams, deleteRule: .deny) var sponsors: Set<Sponsor>
    }

    private final class Player: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
        @Field.Relationship("team") var team: Team?
    }

    private final class Badge: CoreStoreObject {
        @Field.Relationship("team", deleteRule: .cascade) var team: Team?
    }

    private final class Sponsor: CoreStoreObject {
        @Field.Relationship("teams") var teams: Set<Team>
    }

    /// A folder, whose deletion also deletes its folders and notes.
    private final class Folder: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
        @Field.Relationship("parent") var parent: Folder?
        @Field.Relationship("folders", inverse: \.$parent, deleteRule: .cascade) var folders: [Folder]
        @Field.Relationship("notes", inverse: \.$folder, deleteRule: .cascade) var notes: Set<Note>
    }

    private final class Note: CoreStoreObject {
        @Field.Relationship("folder") var folder: Folder?
        @Field.Relationship("tags", inverse: \.$notes) var tags: Set<Tag>
    }

    private final class Tag: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
        @Field.Relationship("notes", deleteRule: .cascade) var notes: Set<Note>
    }

    private func makeTeams(_ backend: TestBackend) throws -> TestStack {
        try TestStack(
            backend,
            CoreStoreSchema(
                modelVersion: "V1",
                entities: [
                    Entity<Team>("Team"), Entity<Player>("Player"), Entity<Badge>("Badge"), Entity<Sponsor>("Sponsor"),
                ]
            )
        )
    }

    private func makeFolders(_ backend: TestBackend) throws -> TestStack {
        try TestStack(
            backend,
            CoreStoreSchema(
                modelVersion: "V1", entities: [Entity<Folder>("Folder"), Entity<Note>("Note"), Entity<Tag>("Tag")]
            )
        )
    }

    private func addTeam(players: Int, to stack: DataStack) throws -> ObjectID {
        try stack.perform(synchronous: { transaction in
            let team = transaction.create(Into<Team>())
            for index in 0..<players {
                let player = transaction.create(Into<Player>())
                player.name = "\(index)"
                player.team = team
            }
            return team.objectID()
        })
    }

    @Test(.pins("FLD-44"), arguments: TestBackend.allCases)
    func `a deny rule refuses the commit, not the deletion`(_ backend: TestBackend) throws {
        let test = try makeTeams(backend)
        let id = try addTeam(players: 1, to: test.stack)
        let player = try #require(try test.stack.fetchOne(From<Player>()))
        let error = #expect(throws: CoreStoreError.self) {
            try test.stack.perform(synchronous: { transaction in
                let team: Team? = transaction.fetchExisting(id)
                transaction.delete(team)
                #expect(team?.isDeleted == true)
                let left = try transaction.fetchCount(From<Team>())
                #expect(left == 0)
            })
        }
        #expect(
            error?.storageError?.message
                == "\(id) cannot be deleted while 'players' refers to \(player.objectID()), because "
                + "its delete rule is deny. Delete \(player.objectID()) first, or remove it from 'players'."
        )
        #expect(try test.stack.fetchCount(From<Team>()) == 1)
        #expect(player.team?.objectID() == id)
        #expect(player.team?.isDeleted == false)
    }

    @Test(.pins("FLD-44"), arguments: TestBackend.allCases)
    func `a deny rule accepts the commit if no related object remains`(_ backend: TestBackend) throws {
        let test = try makeTeams(backend)
        let first = try addTeam(players: 3, to: test.stack)
        try test.stack.perform(synchronous: { transaction in
            let other = transaction.create(Into<Team>())
            let players = try transaction.fetchAll(From<Player>().orderBy(.ascending(\.$name)))
            transaction.delete(objectIDs: [first])
            players[0].team = other
            players[1].team = nil
            transaction.delete(players[2])
        })
        #expect(try test.stack.fetchCount(From<Team>()) == 1)
        #expect(
            try test.stack.fetchAll(From<Player>().orderBy(.ascending(\.$name))).map { $0.team == nil } == [
                false, true,
            ])
    }

    @Test(.pins("FLD-44"), arguments: TestBackend.allCases)
    func `a deny rule checks every related object`(_ backend: TestBackend) throws {
        let test = try makeTeams(backend)
        let id = try addTeam(players: 3, to: test.stack)
        for kept in 0..<3 {
            #expect(throws: CoreStoreError.self) {
                try test.stack.perform(synchronous: { transaction in
                    transaction.delete(objectIDs: [id])
                    for player in try transaction.fetchAll(From<Player>()) where player.name != "\(kept)" {
                        player.team = nil
                    }
                })
            }
        }
        #expect(try test.stack.fetchCount(From<Player>().where(\.$team != nil)) == 3)
    }

    @Test(.pins("FLD-44"), arguments: TestBackend.allCases)
    func `a deny rule does not apply to objects that were never saved`(_ backend: TestBackend) throws {
        let test = try makeTeams(backend)
        try test.stack.perform(synchronous: { transaction in
            let team = transaction.create(Into<Team>())
            let player = transaction.create(Into<Player>())
            player.team = team
            transaction.delete(team)
            #expect(player.team == nil)
        })
        #expect(try test.stack.fetchCount(From<Player>().where(\.$team == nil)) == 1)
        #expect(try test.stack.fetchCount(From<Team>()) == 0)
    }

    @Test(.pins("FLD-44"), arguments: TestBackend.allCases)
    func `a deny rule of a to-one relationship refuses the commit with invalidValue`(
        _ backend: TestBackend
    ) throws {
        final class Key: CoreStoreObject {
            @Field.Relationship("ring", inverse: \.$keys, deleteRule: .deny) var ring: Ring?
            @Field.Relationship("lock", inverse: \.$key, deleteRule: .deny) var lock: Lock?
        }
        final class Ring: CoreStoreObject {
            @Field.Relationship("keys") var keys: Set<Key>
        }
        final class Lock: CoreStoreObject {
            @Field.Relationship("key") var key: Key?
        }
        let entities: [DynamicEntity] = [Entity<Key>("Key"), Entity<Ring>("Ring"), Entity<Lock>("Lock")]
        let test = try TestStack(backend, CoreStoreSchema(modelVersion: "V1", entities: entities))
        try test.stack.perform(synchronous: { transaction in
            let key = transaction.create(Into<Key>())
            key.ring = transaction.create(Into<Ring>())
            key.lock = transaction.create(Into<Lock>())
        })
        let key = try #require(try test.stack.fetchOne(From<Key>()))
        func failure(_ change: (Key) -> Void) -> StorageError? {
            let error = #expect(throws: CoreStoreError.self) {
                try test.stack.perform(synchronous: { transaction in
                    let key = try #require(transaction.edit(key))
                    change(key)
                    transaction.delete(key)
                })
            }
            return error?.storageError
        }
        let ring = failure { $0.lock = nil }
        #expect(ring?.code == .invalidValue)
        #expect(ring?.message.contains("cannot be deleted while 'ring' refers to ") == true)
        let lock = failure { $0.ring = nil }
        #expect(lock?.code == .invalidValue)
        #expect(lock?.message.contains("cannot be deleted while 'lock' refers to ") == true)
        #expect(!key.isDeleted && key.ring?.keys == [key] && key.lock?.key === key)
        // The object that the rule protects is deleted too, or the relationship is removed first.
        try test.stack.perform(synchronous: { transaction in
            let key = try #require(transaction.edit(key))
            key.lock = nil
            transaction.delete(key)
            transaction.delete(try transaction.fetchOne(From<Ring>()))
        })
        #expect(key.isDeleted)
        #expect(try test.stack.fetchCount(From<Ring>()) == 0)
        #expect(try test.stack.fetchOne(From<Lock>())?.key == nil)
        // A deletion at the inverse, whose rule is to nullify, is not refused.
        try test.stack.perform(synchronous: { $0.create(Into<Key>()).ring = $0.create(Into<Ring>()) })
        try test.stack.perform(synchronous: { try $0.deleteAll(From<Ring>()) })
        #expect(try test.stack.fetchCount(From<Key>().where(\.$ring == nil)) == 1)
    }

    @Test(.pins("FLD-44"), arguments: TestBackend.allCases)
    func `a deny rule on a many-to-many relationship leaves no links`(_ backend: TestBackend) throws {
        let test = try makeTeams(backend)
        try test.stack.perform(synchronous: { transaction in
            let team = transaction.create(Into<Team>())
            let (one, two) = (transaction.create(Into<Sponsor>()), transaction.create(Into<Sponsor>()))
            team.sponsors = [one, two]
        })
        let sponsors = try test.stack.fetchAll(From<Sponsor>())
        let team = try #require(try test.stack.fetchOne(From<Team>()))
        #expect(throws: CoreStoreError.self) { try test.stack.perform(synchronous: { $0.delete(team) }) }
        #expect(team.sponsors.count == 2)
        try test.stack.perform(synchronous: { transaction in
            transaction.delete(team)
            transaction.delete(sponsors)
        })
        #expect(try test.stack.fetchCount(From<Team>()) == 0)
        #expect(try test.stack.fetchCount(From<Sponsor>()) == 0)
        #expect(sponsors[0].teams.isEmpty)
    }

    @Test(.pins("FLD-44"), arguments: TestBackend.allCases)
    func `cascade in both directions terminates`(_ backend: TestBackend) throws {
        let test = try makeTeams(backend)
        for deletesTeam in [true, false] {
            try test.stack.perform(synchronous: { transaction in
                let team = transaction.create(Into<Team>())
                team.badge = transaction.create(Into<Badge>())
            })
            try test.stack.perform(synchronous: { transaction in
                if deletesTeam {
                    try transaction.deleteAll(From<Team>())
                } else {
                    try transaction.deleteAll(From<Badge>())
                }
            })
            #expect(try test.stack.fetchCount(From<Team>()) == 0)
            #expect(try test.stack.fetchCount(From<Badge>()) == 0)
        }
    }

    @Test(.pins("FLD-44"), arguments: TestBackend.allCases)
    func `cascade follows chains, cycles and many-to-many`(_ backend: TestBackend) throws {
        let test = try makeFolders(backend)
        try test.stack.perform(synchronous: { transaction in
            var parent: Folder?
            for name in ["root", "a", "b", "c"] {
                let folder = transaction.create(Into<Folder>())
                folder.name = name
                folder.parent = parent
                folder.notes = [transaction.create(Into<Note>())]
                parent = folder
            }
            let tag = transaction.create(Into<Tag>())
            tag.notes = parent?.notes ?? []
        })
        let folders = try test.stack.fetchAll(From<Folder>().orderBy(.ascending(\.$name)))
        // The folders form a cycle: the root is in its own descendant.
        try test.stack.perform(synchronous: { transaction in
            let c = try #require(transaction.edit(folders[2]))
            try #require(transaction.edit(folders[3])).parent = c
        })
        let tag = try #require(try test.stack.fetchOne(From<Tag>()))
        #expect(tag.notes.count == 1)
        try test.stack.perform(synchronous: { transaction in
            transaction.delete(folders[1])
            let left = try transaction.fetchCount(From<Folder>())
            #expect(left == 0)
        })
        #expect(try test.stack.fetchCount(From<Folder>()) == 0)
        #expect(try test.stack.fetchCount(From<Note>()) == 0)
        #expect(try test.stack.fetchCount(From<Tag>()) == 1)
        #expect(tag.notes.isEmpty)
        #expect(folders.allSatisfy { $0.isDeleted })
    }

    @Test(.pins("FLD-44"), arguments: TestBackend.allCases)
    func `nullify is the default on both sides`(_ backend: TestBackend) throws {
        let test = try makeFolders(backend)
        try test.stack.perform(synchronous: { transaction in
            let folder = transaction.create(Into<Folder>())
            folder.notes = [transaction.create(Into<Note>()), transaction.create(Into<Note>())]
        })
        let folder = try #require(try test.stack.fetchOne(From<Folder>()))
        try test.stack.perform(synchronous: { transaction in
            transaction.delete(try transaction.fetchOne(From<Note>()))
            let folder = try #require(transaction.edit(folder))
            #expect(folder.notes.count == 1)
        })
        #expect(folder.notes.count == 1)
        #expect(!folder.isDeleted)
    }
}
