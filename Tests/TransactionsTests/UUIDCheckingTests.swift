import Coffer
import CofferStorage
import CofferStorageTools
import Foundation
import TestSupport
import Testing

private final class Ticket: CoreStoreObject {
    @Field.Stored("number") var number: UUID = UUID()
    @Field.Stored("other") var other: UUID?
    @Field.Stored("seat") var seat: NSUUID?
    @Field.Stored("note") var note: String = ""
}

private final class Plain: CoreStoreObject {
    @Field.Stored("text") var text: String = ""
}

private let schema = CoreStoreSchema(
    modelVersion: "V1", entities: [Entity<Ticket>("Ticket"), Entity<Plain>("Plain")])

/// Strings in UUID fields that are not UUIDs; a check finds them.
struct UUIDCheckingTests {
    private let good = "0f8fad5b-d9cb-469f-a165-70867728950e"

    /// Returns the layout of a model that a store has encoded and decoded.
    ///
    /// - Parameter isOld: whether to encode it as earlier releases did, which did not mark UUID attributes.
    private func layout(_ model: StoreModel, isOld: Bool = false) throws -> ModelLayout {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        var text = String(decoding: try encoder.encode(model), as: UTF8.self)
        if isOld { text = text.replacing(/"isUUID":true,/, with: "") }
        return try ModelLayout(try JSONDecoder().decode(StoreModel.self, from: Data(text.utf8)))
    }

    /// Adds tickets with the strings for the three UUIDs and the note; returns the keys of the tickets.
    private func add(_ texts: [[String?]], to store: any StorageInterface, _ layout: ModelLayout) throws -> [Int64] {
        let entity = try #require(layout.entity(named: "Ticket"))
        let keys = try store.reserveKeys(texts.count, root: entity.index)
        var changes = ChangeSet()
        for (key, texts) in zip(keys, texts) {
            let values = texts.map { $0.map(Value.text) ?? .null }
            let row = Row.make(entity: entity.index, key: key, version: 1, values: values, kinds: entity.kinds)
            changes.inserts.append(.init(row: try #require(row)))
        }
        _ = try store.commit(changes)
        return Array(keys)
    }

    @Test(arguments: TestBackend.allCases)
    func `a check reports strings that are no UUIDs in fields that the model declares as UUIDs`(
        _ backend: TestBackend
    ) throws {
        let directory = try TestStack.makeDirectory()
        defer { TestStack.remove(directory) }
        let store = try backend.makeStore("tickets", in: directory)
        let stack = DataStack(schema)
        try TestStack.add(store, to: stack)
        defer { stack.unsafeRemoveAllPersistentStoresAndWait() }
        let found = try #require(try store.inspect()).model
        let current = try layout(found)
        let upper = good.uppercased()
        let keys = try add(
            [[good, good, good, "no UUID"], ["no UUID", nil, "", good], [upper, good + " ", nil, ""]], to: store,
            current)
        #expect(
            try store.problems(current).map(\.description) == [
                "'Ticket.number' has a value that does not fit its type, 2 times (key \(keys[1]), \(keys[2])).",
                "'Ticket.seat' has a value that does not fit its type, once (key \(keys[1])).",
                "'Ticket.other' has a value that does not fit its type, once (key \(keys[2])).",
            ])
        // The model in a store of an earlier release does not mark UUID attributes.
        #expect(try store.problems(layout(found, isOld: true)) == [])
    }

    @Test(arguments: TestBackend.persistent)
    func `declaring a string as a UUID changes no version hash and no stored model`(_ backend: TestBackend) throws {
        let directory = try TestStack.makeDirectory()
        defer { TestStack.remove(directory) }
        let model = schema.rawModel().storeModel
        let old = try layout(model, isOld: true)
        #expect(old.model != model)
        #expect(old.model.versionHashes == model.versionHashes)
        #expect(old.model.isCompatible(with: model) && model.isCompatible(with: old.model))
        let store = try backend.makeStore("tickets", in: directory)
        _ = try store.open(old)
        _ = try add([["no UUID", nil, nil, ""]], to: store, old)
        #expect(try #require(try store.inspect()).model == old.model)
        #expect(try store.problems(old) == [])
        store.close()
        // Programs of two releases open the store in turn. Neither program rewrites the model in the store.
        let stack = DataStack(schema)
        let again = try backend.makeStore("tickets", in: directory)
        try TestStack.add(again, to: stack)
        defer { stack.unsafeRemoveAllPersistentStoresAndWait() }
        let found = try #require(try again.inspect()).model
        #expect(found == old.model)
        // A check with the program's own model finds the value.
        #expect(try again.problems(layout(model)).map(\.kind) == [.unfitValue])
    }
}
