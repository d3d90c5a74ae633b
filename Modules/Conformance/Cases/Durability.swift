import CofferStorage

/// The cases about durability: the data that a store still has after it was closed and opened again.
extension ConformanceCase {
    /// The data that a store has after it was closed and opened again.
    ///
    /// If the fixture is not persistent, the store must be empty.
    static let durability: [ConformanceCase] = [
        ConformanceCase("durability/inspect-nothing", "Inspecting a missing store creates nothing.") {
            let store = try $0.makeStore()
            for _ in 0..<2 { try expectEqual(try store.inspect(), nil, "the metadata of the store") }
            try expectEqual(try $0.makeStore().inspect(), nil, "the metadata that another store reads")
        },
        ConformanceCase(
            "durability/metadata", "An opened store returns its id and its model, and an inspection returns the same."
        ) {
            let session = try $0.open()
            try expectEqual(session.metadata.model, Domain.model, "the model")
            try expectEqual(try session.store.inspect(), session.metadata, "the metadata that the open store reads")
            session.store.close()
            let expected = $0.isPersistent ? session.metadata : nil
            try expectEqual(try $0.makeStore().inspect(), expected, "the metadata that an unopened store reads")
        },
        ConformanceCase("durability/rows", "A reopened store contains the same rows.") {
            let town = try $0.town()
            try town.commit {
                try $0.update("Ann", ["nick": .text("changed")])
                try $0.delete("Bob")
            }
            let before = try town.rows(town.creature.request())
            let after = try $0.reopened(town).rows(town.creature.request())
            try town.expectRows(after, $0.isPersistent ? before : [], "the creatures, unless the store is in memory")
        },
        ConformanceCase("durability/links", "A reopened store contains the same links and places.") {
            let again = try $0.reopened($0.town())
            try again.expectRelated("favorites", ["Ann": $0.isPersistent ? ["Emma", "Dune"] : []])
            try again.expectRelated("pets", ["Ann": $0.isPersistent ? ["Mia", "Rex"] : []])
        },
        ConformanceCase("durability/keys", "A reopened store reserves no key again, used or unused.") {
            let session = try $0.open()
            let keys = try session.reserve("Tag", 500)
            let next = try $0.reopened(session).newKey("Tag")
            guard $0.isPersistent else { return }
            try expect(!keys.contains(next), "a key other than \(keys), and found \(next)")
        },
        ConformanceCase("durability/failed-commit", "A reopened store contains nothing of a failed commit.") {
            let town = try $0.town()
            let key = try town.newKey("Tag")
            try town.expectRefused(.uniqueViolation, "a commit") {
                try $0.insert("Tag", key: key)
                try $0.update("Emma", ["isbn": .text("1")])
            }
            try expect(try !$0.reopened(town).exists("Tag", key), "no tag of the failed commit")
        },
        ConformanceCase(
            "durability/same-hashes",
            "A model opens a store if only the name of the version and the delete rules differ."
        ) {
            let session = try $0.open()
            try session.insert("Tag")
            session.store.close()
            let model = Domain.model.next("V1, renamed") {
                $0.changeRelationships { $0.deleteRule = $0.deleteRule == .nullify ? .deny : .nullify }
            }
            let again = try $0.open(model)
            try again.expectCount(of: "Tag", $0.isPersistent ? 1 : 0, "the tags")
            if $0.isPersistent { try expectEqual(again.metadata.store, session.metadata.store, "the id of the store") }
            try again.insert("Tag")
        },
        ConformanceCase("durability/reopen-same-store", "A closed store can be opened again.") {
            let session = try $0.open()
            try session.insert("Tag")
            session.store.close()
            let metadata = try session.store.open(session.layout)
            guard $0.isPersistent else { return }
            try expectEqual(metadata, session.metadata, "the metadata")
            try session.expectCount(of: "Tag", 1, "the tags")
        },
        ConformanceCase(
            "durability/erase", "An erased store is deleted; opening it again creates a store with another id."
        ) {
            let session = try $0.open()
            try session.insert("Tag")
            try session.store.erase()
            try expectEqual(try $0.makeStore().inspect(), nil, "the metadata of the store")
            try expectThrows(.closed, "reading from the erased store") { try session.store.makeReader() }
            let again = try $0.open()
            try again.expectCount(of: "Tag", 0, "the tags in the new store")
            try expect(again.metadata.store != session.metadata.store, "another id")
        },
        ConformanceCase("durability/erase-nothing", "The erasure of a missing store has no effect.") {
            let store = try $0.makeStore()
            try store.erase()
            try store.erase()
            try expectEqual(try store.inspect(), nil, "the metadata of the store")
        },
        ConformanceCase("durability/erase-closed", "A closed store can be erased.") {
            let session = try $0.open()
            try session.insert("Tag")
            session.store.close()
            let other = try $0.makeStore()
            try other.erase()
            try expectEqual(try other.inspect(), nil, "the metadata of the store")
        },
    ]
}
