import Coffer
import CofferStorage
import Foundation
import TestSupport
import Testing

/// Version hashes, and the locks that consist of them.
@MainActor
struct VersionLockTests {
    private class Vessel: CoreStoreObject {
        @Field.Stored("built") var built: Date?
        @Field.Stored("näme", versionHashModifier: "new", previousVersionKeyPath: "title") var name: String = "x"
        @Field.Virtual("label") var label: String?
        @Field.Relationship("home", inverse: \.$vessels) var home: Harbour?
    }

    private final class Ferry: Vessel {
        @Field.Coded("manifest", coder: FieldCoders.Json.self) var manifest: [String]?
        @Field.Stored("lanes") var lanes: Int = 2
    }

    private final class Harbour: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
        @Field.Relationship("vessels", maxCount: 12, deleteRule: .cascade) var vessels: Set<Vessel>
    }

    private let golden: VersionLock = [
        "Ferry": [0xd23a3cdc8aa61e9e, 0x61e24e51d716b14b, 0x149462b801867aca, 0x263e03047de6fa46],
        "Harbour": [0x2944e2fcf14cda81, 0xcac221d72bc84b78, 0xdb8eab3de9151fba, 0x6ab91ca475e03257],
        "Vessel": [0x7d81a3643a7f8d19, 0x7569a56d532f0daa, 0xfeff8a8e05d9a1fd, 0xf0c87bebbe0632be],
    ]

    private func schema(_ lock: VersionLock? = nil, version: String = "V1") -> CoreStoreSchema {
        CoreStoreSchema(
            modelVersion: version,
            entities: [
                Entity<Ferry>("Ferry"),
                Entity<Vessel>("Vessel", isAbstract: true, versionHashModifier: "v2"),
                Entity<Harbour>("Harbour", indexes: [[\.$name]], uniqueConstraints: [[\.$name]]),
            ],
            versionLock: lock
        )
    }

    // Another implementation of docs/version-locks.md computed the hashes. Never change them: locks in programs
    // depend on them.
    @Test(.pins("SCH-33")) func `version hashes equal the recorded hashes`() {
        #expect(schema().rawModel().storeModel.versionHashes == golden.hashesByEntityName)
    }

    @Test(.pins("SCH-33")) func `version hashes depend only on properties that affect the stored data`() throws {
        let model = schema().rawModel().storeModel
        func differing(_ change: (inout StoreModel) -> Void) -> [String] {
            var changed = model
            change(&changed)
            let (old, new) = (model.versionHashes, changed.versionHashes)
            return Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.sorted()
        }
        let (ferry, vessel, harbour) = (0, 1, 2)
        // These properties affect the hashes.
        #expect(differing { $0.entities[ferry].attributes[0].isOptional = false } == ["Ferry"])
        #expect(differing { $0.entities[ferry].attributes[1].type = .integer32AttributeType } == ["Ferry"])
        #expect(differing { $0.entities[ferry].attributes[1].name = "decks" } == ["Ferry"])
        #expect(differing { $0.entities[ferry].attributes[1].versionHashModifier = "2" } == ["Ferry"])
        #expect(differing { $0.entities[ferry].attributes.removeLast() } == ["Ferry"])
        #expect(differing { $0.entities[ferry].parent = nil } == ["Ferry"])
        #expect(differing { $0.entities[vessel].isAbstract = false } == ["Vessel"])
        #expect(differing { $0.entities[vessel].versionHashModifier = nil } == ["Vessel"])
        #expect(differing { $0.entities[vessel].name = "Ship" } == ["Ship", "Vessel"])
        #expect(differing { $0.entities[harbour].relationships[0].isOrdered = true } == ["Harbour"])
        #expect(differing { $0.entities[harbour].relationships[0].isToMany = false } == ["Harbour"])
        #expect(differing { $0.entities[harbour].relationships[0].minCount = 1 } == ["Harbour"])
        #expect(differing { $0.entities[harbour].relationships[0].maxCount = 0 } == ["Harbour"])
        #expect(differing { $0.entities[harbour].relationships[0].deleteRule = .deny } == ["Harbour"])
        #expect(differing { $0.entities[harbour].relationships[0].destination = "Ferry" } == ["Harbour"])
        #expect(differing { $0.entities[harbour].relationships[0].inverse = "port" } == ["Harbour"])
        #expect(differing { $0.entities[harbour].relationships[0].versionHashModifier = "2" } == ["Harbour"])
        #expect(differing { $0.entities[harbour].uniqueConstraints = [] } == ["Harbour"])
        #expect(differing { $0.entities[harbour].uniqueConstraints = [["name"], ["name", "town"]] } == ["Harbour"])
        // These properties do not affect the hashes.
        #expect(differing { $0.version = "V2" } == [])
        #expect(differing { $0.entities.reverse() } == [])
        #expect(differing { $0.entities[ferry].attributes.reverse() } == [])
        #expect(differing { $0.entities[ferry].attributes[1].defaultValue = .integer(9) } == [])
        #expect(differing { $0.entities[vessel].attributes[1].renamingIdentifier = nil } == [])
        #expect(differing { $0.entities[vessel].renamingIdentifier = "Boat" } == [])
        #expect(differing { $0.entities[harbour].indexes = [] } == [])
        // The order of constraints and the order within a constraint do not affect the hashes.
        func hashes(_ constraints: [[String]]) -> [String: Data] {
            var changed = model
            changed.entities[harbour].uniqueConstraints = constraints
            return changed.versionHashes
        }
        #expect(hashes([["a", "b"], ["c"]]) == hashes([["c"], ["b", "a"]]))
        #expect(hashes([["a", "b"], ["c"]]) != hashes([["a"], ["b", "c"]]))
    }

    @Test(.pins("SCH-32")) func `a matching lock logs nothing`() {
        let log = RecordingLogger.record("locked-1") {
            _ = schema(golden, version: "locked-1").rawModel()
        }
        #expect(log.entries == [])
    }

    @Test(.pins("SCH-32")) func `a lock that does not match logs the correct lock`() {
        let log = RecordingLogger.record("locked-2") {
            _ = schema(["Ferry": [1, 2, 3, 4]], version: "locked-2")
        }
        #expect(
            log.assertions == [
                "The model of version 'locked-2' does not match its version lock. If the change is intended, replace "
                    + "the lock by:\n\(golden)"
            ]
        )
    }

    @Test(.pins("SCH-33")) func `a lock created by CoreStore logs a warning`() {
        let lock: VersionLock = [
            "Ferry": [0x1b59_d511_0196_95cf, 0xdeb9_7e86_c5ea_4a12, 1, 2],
            "Harbour": [0x6a4b_b5f2_9e53_1c11, 3, 4, 5], "Vessel": [0x19c4_0f6a_0d4e_7e55, 6, 7, 8],
        ]
        let log = RecordingLogger.record("locked-3") {
            _ = schema(lock, version: "locked-3")
        }
        #expect(
            log.entries == [
                .message(
                    .warning,
                    "The version lock of 'locked-3' matches none of its entities. CoreStore created the lock, or all "
                        + "entities have changed. Replace the lock by:\n\(golden)")
            ]
        )
    }

    @Test(.pins("SCH-33")) func `a lock that matches only some entities logs an assertion`() {
        var words: [EntityName: [UInt64]] = ["Ferry": [1, 2, 3, 4], "Vessel": [5, 6, 7, 8]]
        words["Harbour"] = [0x2944_e2fc_f14c_da81, 0xcac2_21d7_2bc8_4b78, 0xdb8e_ab3d_e915_1fba, 0x6ab9_1ca4_75e0_3257]
        let log = RecordingLogger.record("locked-4") { _ = schema(VersionLock(words), version: "locked-4") }
        #expect(log.assertions.count == 1 && log.entries.count == 1)
    }

    @Test(.pins("SCH-32")) func `a schema without a lock logs its lock at the trace level`() {
        let log = RecordingLogger.record("unlocked-1") {
            let schema = schema(version: "unlocked-1")
            _ = schema.rawModel()
            _ = schema.rawModel()
        }
        #if DEBUG
            #expect(
                log.entries == [
                    .message(
                        .trace,
                        "The model of version 'unlocked-1' has no version lock. This lock matches it:\n\(golden)"
                    )
                ]
            )
        #else
            #expect(log.entries == [])
        #endif
    }

    @Test(.pins("SCH-34")) func `a lock is printed as a literal`() {
        let lock: VersionLock = [
            "Zebra": [0x1, 0x0123_4567_89ab_cdef, 0, 0xffff_ffff_ffff_ffff],
            "Ape \"Q\"": [0xa, 0xb, 0xc, 0xd],
        ]
        #expect(
            lock.description == """
                [
                    "Ape \\"Q\\"": [0xa, 0xb, 0xc, 0xd],
                    "Zebra": [0x1, 0x123456789abcdef, 0x0, 0xffffffffffffffff]
                ]
                """
        )
        #expect(VersionLock([:]).description == "[:]")
    }
}
