package import Coffer
package import Foundation

import struct CofferSQLite.SQLiteConfiguration
import class CofferSQLite.SQLiteStore

/// Files that several processes open at the same time, and the changes that each process saves.
package enum Race {
    package final class OldNote: CoreStoreObject {
        @Field.Stored("text") package var text: String = ""
    }

    package final class Note: CoreStoreObject {
        @Field.Stored("writer") package var writer: String = ""
        @Field.Stored("number") package var number: Int = 0
    }

    private static let old = CoreStoreSchema(modelVersion: "V1", entities: [Entity<OldNote>("Note")])
    private static let new = CoreStoreSchema(modelVersion: "V2", entities: [Entity<Note>("Note")])

    /// The number of commits that each process makes to a file.
    package static let commitCount = 3

    /// Creates a file of the old version, which the racing processes erase.
    package static func makeOld(_ file: URL) throws {
        let stack = DataStack(old, viewQueue: DispatchQueue(label: "race"))
        try stack.addStorageAndWait(SQLiteStore(fileURL: file))
        try stack.perform(synchronous: { transaction in transaction.create(Into<OldNote>()).text = "old" })
        stack.unsafeRemoveAllPersistentStoresAndWait()
    }

    /// Opens a file, saves some notes, and closes the file.
    ///
    /// The file is created if it does not exist, and recreated if it has the old version.
    ///
    /// - Parameters:
    ///   - isHasty: whether to start again instead of waiting for other processes.
    ///   - say: called with `saved N` after each commit, and with the message of an error.
    package static func run(_ file: URL, writer: String, isHasty: Bool, _ say: (String) -> Void) {
        var settings = SQLiteConfiguration()
        if isHasty { settings.busyTimeLimit = 0 }
        var number = 0
        for _ in 0..<100_000 where number < commitCount {
            let stack = DataStack(new, viewQueue: DispatchQueue(label: "race"))
            defer { stack.unsafeRemoveAllPersistentStoresAndWait() }
            do {
                try stack.addStorageAndWait(
                    SQLiteStore(
                        fileURL: file, localStorageOptions: .recreateStoreOnModelMismatch, settings: settings))
                while number < commitCount {
                    try stack.perform(synchronous: { transaction in
                        let note = transaction.create(Into<Note>())
                        (note.writer, note.number) = (writer, number)
                    })
                    say("saved \(number)")
                    number += 1
                }
            } catch {
                if isBusy(error) { continue }
                let cause = error.storageError?.cause
                say("\(error), \(cause ?? "without a cause")")
                return
            }
        }
    }

    private static func isBusy(_ error: any Error) -> Bool {
        (error as? CoreStoreError)?.storageError?.code == .busy
    }

    /// Returns the content of a file: `writer number` for each note.
    package static func content(of file: URL) throws -> Set<String> {
        let stack = DataStack(new, viewQueue: DispatchQueue(label: "race"))
        defer { stack.unsafeRemoveAllPersistentStoresAndWait() }
        try stack.addStorageAndWait(SQLiteStore(fileURL: file))
        return try stack.read({ reader in
            Set(try reader.fetchAll(From<Note>()).map { "\($0.writer) \($0.number)" })
        })
    }
}
