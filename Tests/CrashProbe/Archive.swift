package import Coffer
package import Foundation

import class CofferSQLite.SQLiteStore

/// A file whose migration is interrupted by a kill: its two versions, and its required content.
package enum Archive {
    package final class OldFolder: CoreStoreObject {
        @Field.Stored("name") package var name: String = ""
        @Field.Relationship("sheets", inverse: \.$folder) package var sheets: [OldSheet]
    }

    package final class OldSheet: CoreStoreObject {
        @Field.Stored("number") package var number: Int32 = 0
        @Field.Stored("text") package var text: String?
        @Field.Relationship("folder") package var folder: OldFolder?
    }

    package final class Folder: CoreStoreObject {
        @Field.Stored("label", previousVersionKeyPath: "name") package var label: String = ""
        @Field.Relationship("pages", inverse: \.$binder, previousVersionKeyPath: "sheets") package var pages: [Sheet]
    }

    package final class Sheet: CoreStoreObject {
        @Field.Stored("number") package var number: Int = 0
        @Field.Stored("content", previousVersionKeyPath: "text") package var content: String = "empty"
        @Field.Relationship("binder", previousVersionKeyPath: "folder") package var binder: Folder?
    }

    package static let folderCount = 40
    package static let sheetCount = 4_000

    package static let old = CoreStoreSchema(
        modelVersion: "V1",
        entities: [Entity<OldFolder>("Folder"), Entity<OldSheet>("Sheet", uniqueConstraints: [[\.$number]])]
    )
    package static let new = CoreStoreSchema(
        modelVersion: "V2",
        entities: [Entity<Folder>("Folder"), Entity<Sheet>("Sheet", uniqueConstraints: [[\.$number]])]
    )

    /// Returns the version of the model in a file.
    package static func version(of file: URL) throws -> String? {
        try SQLiteStore(fileURL: file).inspect()?.model.version
    }

    /// Creates the file with the old version.
    package static func make(_ file: URL) throws {
        let stack = DataStack(old, viewQueue: DispatchQueue(label: "archive"))
        try stack.addStorageAndWait(SQLiteStore(fileURL: file))
        try stack.perform(synchronous: { transaction in
            for index in 0..<folderCount {
                let folder = transaction.create(Into<OldFolder>())
                folder.name = "Folder \(index)"
                folder.sheets = (0..<sheetCount / folderCount).map { place in
                    let sheet = transaction.create(Into<OldSheet>())
                    let number = place * folderCount + index
                    sheet.number = Int32(number)
                    sheet.text = number % 3 == 0 ? nil : String(repeating: "text \(number) ", count: number % 40 + 1)
                    return sheet
                }
            }
        })
        stack.unsafeRemoveAllPersistentStoresAndWait()
    }

    /// Migrates the file to the new version, and returns after the migration.
    package static func migrate(_ file: URL) throws {
        let stack = DataStack(
            schemaHistory: [old, new], viewQueue: DispatchQueue(label: "archive")
        )
        try stack.addStorageAndWait(
            SQLiteStore(fileURL: file, localStorageOptions: .allowSynchronousLightweightMigration))
        stack.unsafeRemoveAllPersistentStoresAndWait()
    }

    /// Returns the content of a file of either version: for each folder, the texts of its sheets in order.
    package static func content(of file: URL) throws -> [String: [String]] {
        let isOld = try version(of: file) == "V1"
        let stack = DataStack(isOld ? old : new, viewQueue: DispatchQueue(label: "archive"))
        try stack.addStorageAndWait(SQLiteStore(fileURL: file))
        defer { stack.unsafeRemoveAllPersistentStoresAndWait() }
        return try stack.read({ reader in
            var content: [String: [String]] = [:]
            if isOld {
                for folder in try reader.fetchAll(From<OldFolder>()) {
                    content[folder.name] = folder.sheets.map { "\($0.number) \($0.text ?? "empty")" }
                }
            } else {
                for folder in try reader.fetchAll(From<Folder>()) {
                    content[folder.label] = folder.pages.map { "\($0.number) \($0.content)" }
                }
            }
            return content
        })
    }
}
