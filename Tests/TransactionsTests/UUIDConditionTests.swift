import Coffer
import Foundation
import TestSupport
import Testing

private final class Parcel: CoreStoreObject {
    @Field.Stored("uuid") var uuid = UUID()
    @Field.Stored("former") var former: UUID?
    @Field.Stored("label") var label = ""
    @Field.Relationship("box", inverse: \.$parcels) var box: Box?
}

private final class Box: CoreStoreObject {
    @Field.Stored("uuid") var uuid = UUID()
    @Field.Stored("reference") var reference: NSUUID?
    @Field.Relationship("parcels") var parcels: Set<Parcel>
}

/// Conditions on UUID fields with strings as constants.
@MainActor
struct UUIDConditionTests {
    nonisolated private static let text = "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"
    nonisolated private static let boxText = "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6"

    struct Search: CustomTestStringConvertible {
        let format: String
        let arguments: [any Sendable]
        let found: String

        init(_ format: String, _ arguments: any Sendable..., finds found: String = "") {
            self.format = format
            self.arguments = arguments
            self.found = found
        }

        var testDescription: String { format }
    }

    private func make(_ backend: TestBackend) throws -> TestStack {
        let test = try TestStack(
            backend,
            CoreStoreSchema(
                modelVersion: "V1", entities: [Entity<Parcel>("ParcelOfUUIDs"), Entity<Box>("BoxOfUUIDs")]))
        try test.stack.perform(synchronous: { transaction in
            let box = transaction.create(Into<Box>())
            box.uuid = try #require(UUID(uuidString: Self.boxText))
            box.reference = NSUUID(uuidString: Self.boxText)
            let one = transaction.create(Into<Parcel>())
            one.uuid = try #require(UUID(uuidString: Self.text))
            (one.former, one.label, one.box) = (one.uuid, Self.text, box)
            transaction.create(Into<Parcel>()).label = "other"
        })
        return test
    }

    @Test(
        .pins("CLS-27"),
        arguments: [
            Search("uuid == '\(text)'", finds: text), Search("uuid == %@", text.lowercased(), finds: text),
            Search("uuid == %@", text, finds: text), Search("%@ == uuid", text, finds: text),
            Search("uuid == %@", UUID(uuidString: text), finds: text), Search("uuid != %@", text, finds: "other"),
            Search("former == %@", text, finds: text), Search("former != %@", text, finds: "other"),
            Search("uuid IN %@", [text, "none"], finds: text), Search("NOT uuid IN {'\(text)'}", finds: "other"),
            Search("former IN {label, '\(text)'}", finds: text), Search("uuid ==[c] '\(text)'", finds: text),
            Search("uuid == 'none'", finds: ""), Search("uuid == 'NONE' OR uuid == nil", finds: ""),
            Search("box.uuid == %@", boxText, finds: text),
            Search("box.reference == %@", boxText, finds: text),
            Search("box.uuid IN %@", [boxText], finds: text), Search("ANY box.parcels.uuid == %@", text, finds: text),
            Search("SUBQUERY(box.parcels, $p, $p.uuid == '\(text)').@count == 1", finds: text),
            Search("TERNARY(uuid == '\(text)', 1, 2) == 1", finds: text),
            Search("label == '\(text)'", finds: text), Search("label == %@", text.lowercased(), finds: ""),
        ], TestBackend.allCases)
    func `a UUID equals its string in upper and lower case`(_ search: Search, _ backend: TestBackend) throws {
        let test = try make(backend)
        let condition = Where<Parcel>(search.format, argumentArray: search.arguments)
        let found = try test.stack.fetchAll(From<Parcel>(), condition).map(\.label)
        #expect(found.sorted().joined(separator: " ") == search.found)
        #expect(try test.stack.fetchCount(From<Parcel>(), condition) == found.count)
        try test.stack.perform(synchronous: { transaction in
            _ = transaction.create(Into<Parcel>()).label = "pending"
            let found = try transaction.fetchAll(From<Parcel>(), condition).map(\.label).filter { $0 != "pending" }
            #expect(found.sorted().joined(separator: " ") == search.found)
        })
    }

    @Test(.pins("CLS-27"), arguments: TestBackend.allCases)
    func `conditions by name and conditions on groups find a UUID by its string`(_ backend: TestBackend) throws {
        let test = try make(backend)
        #expect(try test.stack.fetchCount(From<Parcel>(), Where<Parcel>("uuid", isEqualTo: Self.text)) == 1)
        #expect(try test.stack.fetchCount(From<Parcel>(), Where<Parcel>("uuid", isMemberOf: [Self.text])) == 1)
        let groups = try test.stack.queryAttributes(
            From<Parcel>().select(NSDictionary.self, .attribute(\.$uuid), .count(\.$label, as: "count")).groupBy(
                \.$uuid
            )
            .tweak { $0.havingPredicate = Where<Parcel>("uuid == %@", Self.text).predicate })
        #expect(groups.map { $0["count"] as? Int } == [1])
    }
}

@available(*, deprecated)
private final class Crate: CoreStoreObject {
    let tag = Value.Required<UUID>("tag", initial: UUID())
    let former = Value.Optional<UUID>("former")
}

@MainActor
struct LegacyUUIDConditionTests {
    @available(*, deprecated)
    @Test(.pins("CLS-27"), arguments: TestBackend.allCases)
    func `a UUID in a Value property equals its string in upper and lower case`(_ backend: TestBackend) throws {
        let text = "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"
        let test = try TestStack(
            backend, CoreStoreSchema(modelVersion: "V1", entities: [Entity<Crate>("CrateOfUUIDs")]))
        try test.stack.perform(synchronous: { transaction in
            let crate = transaction.create(Into<Crate>())
            crate.tag.value = try #require(UUID(uuidString: text))
            crate.former.value = crate.tag.value
        })
        for key in ["tag", "former"] {
            #expect(try test.stack.fetchCount(From<Crate>(), Where<Crate>("%K == %@", key, text)) == 1)
            #expect(try test.stack.fetchCount(From<Crate>(), Where<Crate>("%K == %@", key, text.lowercased())) == 1)
        }
    }
}
