import CofferStorage
import CofferStorageTools
import Foundation
import Synchronization

/// A store in one JSON file, read whole when it is opened and replaced whole by each commit.
///
/// Good for settings and small documents. One store at a time may have the file open.
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
    /// What readers take; held for a moment only.
    private let opened = Mutex<Opened?>(nil)
    /// Held for the whole of whatever writes, so that writers come one after the other.
    private let writer = Mutex(())

    /// A store in a file.
    public init(fileURL: URL) {
        file = JSONFile(url: fileURL)
    }

    /// The name of the file, for logs and errors.
    public var storeDescription: String { "JSONFileStore '\(file.url.lastPathComponent)'" }

    /// Tells what is in the file, or nil when there is none.
    public func inspect() throws(StorageError) -> StoreMetadata? {
        if let metadata = opened.withLock({ $0?.metadata }) { return metadata }
        return try file.read()?.metadata
    }

    /// Reads the file, makes it when there is none, and keeps others from opening it.
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

    /// Forgets what was read and lets others open the file.
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

    /// A reader of the store as it is now.
    public func makeReader() throws(StorageError) -> any StorageReader {
        JSONFileReader(try current().snapshot)
    }

    /// Reserves keys and writes down which come next.
    public func reserveKeys(_ count: Int, root: Int) throws(StorageError) -> Range<Int64> {
        try write { snapshot throws(StorageError) in snapshot.reserveKeys(count, root: root) }
    }

    /// Makes all changes on a copy, writes it down, and shows it to readers.
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

    /// Changes a copy, writes it down, and only then lets readers have it.
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
