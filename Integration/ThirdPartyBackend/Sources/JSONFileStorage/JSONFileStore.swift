import CofferStorage
import CofferStorageTools
import Foundation
import Synchronization

/// A store in one JSON file: opening reads the whole file, and each commit replaces the whole file.
///
/// The store is suitable for settings and small documents. One store at a time may have the file open.
public final class JSONFileStore: StorageInterface {
    /// The kind of store, for logs.
    public static let storeType = "JSONFile"

    /// The store is for all entities.
    public let configuration: ModelConfiguration = nil

    private struct Opened {
        var snapshot: Snapshot
        let metadata: StoreMetadata
        let lock: FileLock
    }

    private let file: JSONFile
    /// The state that readers use; the lock is held only briefly.
    private let opened = Mutex<Opened?>(nil)
    /// The lock that each writer holds for its whole operation, so that writers run one after the other.
    private let writer = Mutex(())

    /// A store in a file.
    public init(fileURL: URL) {
        file = JSONFile(url: fileURL)
    }

    /// The name of the file, for logs and errors.
    public var storeDescription: String { "JSONFileStore '\(file.url.lastPathComponent)'" }

    /// Returns the metadata in the file; nil if there is no file.
    public func inspect() throws(StorageError) -> StoreMetadata? {
        if let metadata = opened.withLock({ $0?.metadata }) { return metadata }
        return try file.read()?.metadata
    }

    /// Reads the file, or creates it if there is none, and prevents other stores from opening it.
    public func open(_ layout: ModelLayout) throws(StorageError) -> StoreMetadata {
        try writer.withLock { _ throws(StorageError) in
            opened.withLock { $0 = nil }
            let lock = try FileLock(beside: file.url)
            let document = try file.read() ?? Document(metadata: StoreMetadata(store: UUID(), model: layout.model))
            guard document.metadata.model.isCompatible(with: layout.model) else {
                throw .schemaMismatch(
                    file.url.lastPathComponent, stored: document.metadata.model, opened: layout.model)
            }
            let snapshot = try Snapshot(document, layout)
            try file.write(snapshot.document(document.metadata))
            opened.withLock { $0 = Opened(snapshot: snapshot, metadata: document.metadata, lock: lock) }
            return document.metadata
        }
    }

    /// Discards the content that was read, and lets other stores open the file.
    public func close() {
        writer.withLock { _ in opened.withLock { $0 = nil } }
    }

    /// Closes the store and removes the file.
    public func erase() throws(StorageError) {
        try writer.withLock { _ throws(StorageError) in
            opened.withLock { $0 = nil }
            try file.remove()
        }
    }

    /// Returns a reader of the current content of the store.
    public func makeReader() throws(StorageError) -> any StorageReader {
        JSONFileReader(try current().snapshot)
    }

    /// Reserves keys, and writes the next free key to the file.
    public func reserveKeys(_ count: Int, root: Int) throws(StorageError) -> Range<Int64> {
        try write { snapshot throws(StorageError) in snapshot.reserveKeys(count, root: root) }
    }

    /// Applies all changes to a copy, writes the copy to the file, and then shows it to readers.
    public func commit(_ changes: ChangeSet) throws(StorageError) -> CommitResult {
        try write { snapshot throws(StorageError) in
            try changes.checkNumbers(snapshot.layout)
            try changes.checkConditions(JSONFileReader(snapshot), snapshot.layout)
            var commit = Commit(snapshot)
            let result = try commit.make(changes)
            snapshot = commit.snapshot
            return result
        }
    }

    private func current() throws(StorageError) -> Opened {
        guard let opened = opened.withLock({ $0 }) else {
            throw StorageError(.closed, "The store is not open. Open it first.")
        }
        return opened
    }

    /// Changes a copy, writes the copy to the file, and only then shows it to readers.
    private func write<Result>(
        _ change: (inout Snapshot) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        try writer.withLock { _ throws(StorageError) in
            let opened = try current()
            var snapshot = opened.snapshot
            let result = try change(&snapshot)
            try file.write(snapshot.document(opened.metadata))
            self.opened.withLock { $0?.snapshot = snapshot }
            return result
        }
    }
}
