import Coffer
import CofferSQLite
import Foundation
import TestSupport
import Testing

/// Files whose content is meant to stop the program that reads them.
@MainActor
struct HostileFileTests {
    private final class Gull: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
    }

    @Test func `a commit with an object of the highest version is refused, and no data is lost`() throws {
        let directory = try TemporaryDirectory.make()
        defer { try? FileManager.default.removeItem(at: directory) }
        let file = directory.appending(path: "gulls.sqlite")
        let stack = DataStack(CoreStoreSchema(modelVersion: "V1", entities: [Entity<Gull>("Gull")]))
        try stack.addStorageAndWait(SQLiteStore(fileURL: file))
        try stack.perform(synchronous: { transaction in
            for name in ["Ann", "Bob"] { transaction.create(Into<Gull>()).name = name }
        })
        try SQLiteFixture.execute(
            "UPDATE Gull SET coffer_version = 9223372036854775807 WHERE name = 'Ann'", in: file)
        stack.unsafeRemoveAllPersistentStoresAndWait()
        let again = DataStack(CoreStoreSchema(modelVersion: "V1", entities: [Entity<Gull>("Gull")]))
        try again.addStorageAndWait(SQLiteStore(fileURL: file))
        let error = #expect(throws: CoreStoreError.self) {
            try again.perform(synchronous: { transaction in
                for gull in try transaction.fetchAll(From<Gull>()) { gull.name += "!" }
            })
        }
        #expect(
            error?.storageError?.message == """
                Row 1 of 'Gull' cannot be changed, because it has the highest possible version. Set its version to 1 \
                in the file or database.
                """)
        #expect(try again.fetchAll(From<Gull>()).map(\.name).sorted() == ["Ann", "Bob"])
        try again.perform(synchronous: { transaction in
            for gull in try transaction.fetchAll(From<Gull>().where(\.$name == "Bob")) { gull.name = "Eve" }
        })
        #expect(try again.fetchAll(From<Gull>()).map(\.name).sorted() == ["Ann", "Eve"])
        again.unsafeRemoveAllPersistentStoresAndWait()
    }
}
