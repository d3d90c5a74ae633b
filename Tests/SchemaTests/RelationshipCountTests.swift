import Coffer
import Foundation
import TestSupport
import Testing

/// The minimum and the maximum number of related objects of a saved object.
@MainActor
struct RelationshipCountTests {
    private final class Crew: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
        @Field.Relationship("rowers", minCount: 1, inverse: \.$crew) var rowers: Set<Rower>
        @Field.Relationship("races", maxCount: 2, inverse: \.$crews) var races: [Race]
    }

    private final class Rower: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
        @Field.Relationship("crew") var crew: Crew?
    }

    private final class Race: CoreStoreObject {
        @Field.Relationship("crews") var crews: Set<Crew>
    }

    private func makeStack(_ backend: TestBackend) throws -> TestStack {
        let test = try TestStack(
            backend,
            CoreStoreSchema(
                modelVersion: "V1", entities: [Entity<Crew>("Crew"), Entity<Rower>("Rower"), Entity<Race>("Race")]
            )
        )
        try test.stack.perform(synchronous: { transaction in
            let crew = transaction.create(Into<Crew>())
            for name in ["a", "b"] {
                let rower = transaction.create(Into<Rower>())
                rower.name = name
                crew.rowers.insert(rower)
            }
            _ = transaction.create(Into<Race>())
        })
        return test
    }

    private func failure(
        _ test: TestStack, _ task: (SynchronousDataTransaction) throws -> Void
    ) -> String? {
        do {
            try test.stack.perform(synchronous: task)
            return nil
        } catch {
            return error.storageError?.message ?? "\(error)"
        }
    }

    @Test(.pins("FLD-45"), arguments: TestBackend.allCases)
    func `too few related objects are refused when saving`(_ backend: TestBackend) throws {
        let test = try makeStack(backend)
        let crew = try #require(try test.stack.fetchOne(From<Crew>()))
        let message = "'Crew.rowers' of \(crew.objectID()) has 0 objects, but at least 1 are required."
        #expect(failure(test) { try #require($0.edit(crew)).rowers = [] } == message)
        // The change is made at the inverse, and the transaction never reads the crew.
        #expect(failure(test) { for rower in try $0.fetchAll(From<Rower>()) { rower.crew = nil } } == message)
        #expect(failure(test) { try $0.deleteAll(From<Rower>()) } == message)
        #expect(failure(test) { try $0.deleteAll(From<Rower>().where(\.$name == "a")) } == nil)
        #expect(crew.rowers.map(\.name) == ["b"])
        #expect(failure(test) { $0.delete(crew) } == nil)
        #expect(try test.stack.fetchCount(From<Rower>().where(\.$crew == nil)) == 1)
    }

    @Test(.pins("FLD-45"), arguments: TestBackend.allCases)
    func `a new object with too few related objects is refused, a changed one is not checked again`(
        _ backend: TestBackend
    ) throws {
        let test = try makeStack(backend)
        let message = try #require(failure(test) { _ = $0.create(Into<Crew>()) })
        #expect(message.hasPrefix("'Crew.rowers' of Crew#"))
        #expect(message.hasSuffix(" has 0 objects, but at least 1 are required."))
        #expect(failure(test) { try #require(try $0.fetchOne(From<Crew>())).name = "eight" } == nil)
        #expect(try test.stack.fetchCount(From<Crew>()) == 1)
    }

    @Test(.pins("FLD-45"), arguments: TestBackend.allCases)
    func `too many related objects are refused when saving, and a maximum of 0 is no limit`(
        _ backend: TestBackend
    ) throws {
        let test = try makeStack(backend)
        let crew = try #require(try test.stack.fetchOne(From<Crew>()))
        let message = "'Crew.races' of \(crew.objectID()) has 3 objects, but 0…2 are required."
        #expect(
            failure(test) { transaction in
                let crew = try #require(transaction.edit(crew))
                crew.races = (0..<3).map { _ in transaction.create(Into<Race>()) }
            } == message
        )
        #expect(
            failure(test) { transaction in
                let crew = try #require(transaction.edit(crew))
                for _ in 0..<3 { transaction.create(Into<Race>()).crews = [crew] }
            } == message
        )
        #expect(try test.stack.fetchCount(From<Race>()) == 1)
        let many = failure(test) { transaction in
            let crew = try #require(transaction.edit(crew))
            for _ in 0..<50 { transaction.create(Into<Rower>()).crew = crew }
            crew.races = [transaction.create(Into<Race>()), transaction.create(Into<Race>())]
        }
        #expect(many == nil)
        #expect(crew.rowers.count == 52)
        #expect(crew.races.count == 2)
    }

    @Test(.pins("FLD-45"), arguments: TestBackend.allCases)
    func `members of a many-to-many relationship are counted, whichever side changes them`(
        _ backend: TestBackend
    ) throws {
        final class Band: CoreStoreObject {
            @Field.Relationship("players", minCount: 2, maxCount: 3, inverse: \.$bands) var players: [Player]
        }
        final class Player: CoreStoreObject {
            @Field.Relationship("bands") var bands: Set<Band>
        }
        let test = try TestStack(
            backend, CoreStoreSchema(modelVersion: "V1", entities: [Entity<Band>("Band"), Entity<Player>("Player")]))
        try test.stack.perform(synchronous: { transaction in
            transaction.create(Into<Band>()).players = (0..<2).map { _ in transaction.create(Into<Player>()) }
        })
        let band = try #require(try test.stack.fetchOne(From<Band>()))
        let (first, last) = (band.players[0], band.players[1])
        func message(_ count: Int) -> String {
            "'Band.players' of \(band.objectID()) has \(count) objects, but 2…3 are required."
        }
        #expect(failure(test) { $0.delete(last) } == message(1))
        #expect(failure(test) { try #require($0.edit(last)).bands = [] } == message(1))
        #expect(failure(test) { _ = try #require($0.edit(band)).players.removeFirst() } == message(1))
        #expect(
            failure(test) { transaction in
                let band = try #require(transaction.edit(band))
                for _ in 0..<2 { transaction.create(Into<Player>()).bands.insert(band) }
            } == message(4)
        )
        #expect(band.players == [first, last])
        // Another player takes the place in the same transaction.
        let replaced = failure(test) { transaction in
            let band = try #require(transaction.edit(band))
            transaction.delete(last)
            transaction.create(Into<Player>()).bands.insert(band)
        }
        #expect(replaced == nil)
        #expect(band.players.count == 2 && band.players[0] === first)
        // The error is about values, and the band can be deleted with its members.
        let error = #expect(throws: CoreStoreError.self) {
            try test.stack.perform(synchronous: { try $0.deleteAll(From<Player>()) })
        }
        #expect(error?.storageError?.code == .invalidValue)
        let all = failure(test) { transaction in
            try transaction.deleteAll(From<Player>())
            try transaction.deleteAll(From<Band>())
        }
        #expect(all == nil)
        #expect(try test.stack.fetchCount(From<Band>()) == 0)
    }

    @Test(.pins("FLD-45")) func `a minimum without a maximum is part of the model`() {
        let schema = CoreStoreSchema(
            modelVersion: "V1", entities: [Entity<Crew>("Crew"), Entity<Rower>("Rower"), Entity<Race>("Race")]
        )
        let counts = schema.rawModel().storeModel.entities[0].relationships.map { [$0.minCount, $0.maxCount] }
        #expect(counts == [[1, 0], [0, 2]])
    }
}
