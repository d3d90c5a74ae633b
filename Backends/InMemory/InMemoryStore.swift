public import CofferStorage
public import CofferStorageTools
public import Foundation

/// A store that keeps its data in memory until the last reference to the store is released.
///
/// ```swift
/// try stack.addStorageAndWait(InMemoryStore())
/// ```
///
/// Each instance has its own data. Any number of readers read at once, without waiting for a writer. A commit creates
/// the next version of the data, shares the unchanged parts, and publishes the version at the end.
///
/// ``close()`` keeps the data, so that the same instance can be added again; ``erase()`` deletes them. A failed commit
/// leaves the data unchanged.
public final class InMemoryStore: MigratableStorage, LoadableStorage, ConfigurableStorage {
    /// The kind of store, for logs.
    public static let storeType = "InMemory"

    /// The name of the configuration whose entities the store holds; nil for all entities.
    public let configuration: ModelConfiguration

    /// The plans for migration steps that cannot be inferred.
    public let migrationMappingProviders: [any SchemaMappingProvider]

    private struct State {
        var content: StoreContent?
        var isOpen = false
    }

    private let state = Locked(State())
    /// The lock that a writer holds during a whole commit; readers never need the lock.
    private let writer = NSLock()

    /// Creates an empty store for all entities.
    public convenience init() { self.init(configuration: nil) }

    /// Creates an empty store for the entities of a configuration: `InMemoryStore(configuration: "Archive")`.
    public convenience init(configuration: ModelConfiguration) {
        self.init(configuration: configuration, migrationMappingProviders: [])
    }

    /// Creates an empty store that may later be added to a data stack with another version of the model.
    ///
    /// - Parameter migrationMappingProviders: the plans for migration steps that cannot be inferred.
    public init(
        configuration: ModelConfiguration = nil, migrationMappingProviders: [any SchemaMappingProvider]
    ) {
        self.configuration = configuration
        self.migrationMappingProviders = migrationMappingProviders
    }

    /// The store and its configuration, for logs and errors.
    public var storeDescription: String { configuration.map { "InMemoryStore '\($0)'" } ?? "InMemoryStore" }

    /// Returns the model and the id of the store, even if it is closed; nil before the store is first opened.
    public func inspect() throws(StorageError) -> StoreMetadata? { state.withLock { $0.content?.metadata } }

    /// Opens the store, with the data that it had before a ``close()``.
    ///
    /// - Throws: `schemaMismatch` if the store holds data of another model.
    public func open(_ layout: ModelLayout) throws(StorageError) -> StoreMetadata {
        writer.lock()
        defer { writer.unlock() }
        let found = state.withLock { $0.content }
        let content =
            try found.map { content throws(StorageError) in try content.reopened(layout) }
            ?? StoreContent(layout)
        var next = State(content: content, isOpen: true)
        state.withLock { swap(&$0, &next) }
        return content.metadata
    }

    /// Ends all reading and writing, and keeps the data for the next ``open(_:)``.
    public func close() { state.withLock { $0.isOpen = false } }

    /// Closes the store and deletes its data.
    public func erase() throws(StorageError) {
        writer.lock()
        defer { writer.unlock() }
        var next = State()
        state.withLock { swap(&$0, &next) }
    }

    /// Returns a reader of the current version of the data, which the reader keeps until it is released.
    public func makeReader() throws(StorageError) -> any StorageReader {
        InMemoryReader(try content().snapshot)
    }

    /// Reserves keys, beginning with 1.
    ///
    /// - Throws: `invalidRequest` if the entity is not a root entity or the count is negative, `full` if no keys are
    ///   left, and `closed`.
    public func reserveKeys(_ count: Int, root: Int) throws(StorageError) -> Range<Int64> {
        try content().keys.reserve(count, root)
    }

    /// Creates the next version of the data and publishes it, or throws an error and keeps the current version.
    public func commit(_ changes: ChangeSet) throws(StorageError) -> CommitResult {
        writer.lock()
        defer { writer.unlock() }
        let content = try content()
        if changes.isEmpty { return CommitResult() }
        if !changes.conditions.isEmpty {
            try changes.checkConditions(InMemoryReader(content.snapshot), content.snapshot.layout)
        }
        var commit = Commit(changes, to: content.snapshot)
        let (snapshot, result) = try commit.run()
        content.keys.note(commit.highestKeys)
        var next: StoreContent? = content
        next?.snapshot = snapshot
        // The old version is released outside of the lock, so that readers do not wait for its release.
        let isPublished = state.withLock { state in
            if state.isOpen { swap(&state.content, &next) }
            return state.isOpen
        }
        guard isPublished else { throw .closed("The store was closed during the commit. Open it and repeat.") }
        return result
    }

    /// Creates the data of the next version of the model, and publishes this data when all steps are complete.
    public func migrate(
        _ steps: [MigrationPlan], report: (MigrationReport) throws(StorageError) -> Void
    ) throws(StorageError) -> StoreMetadata {
        writer.lock()
        defer { writer.unlock() }
        let (found, isOpen) = state.withLock { ($0.content, $0.isOpen) }
        guard !isOpen else { throw .openWhileMigrating }
        guard var content = found else { throw .nothingToMigrate }
        for (index, step) in steps.enumerated() {
            content = try content.migrated(step) { fraction throws(StorageError) in
                try report(MigrationReport(step: index, fraction: fraction))
            }
        }
        var next: StoreContent? = content
        state.withLock { swap(&$0.content, &next) }
        return content.metadata
    }

    /// Creates the content of a new store, and publishes it when it is complete.
    public func load(
        _ layout: ModelLayout, as store: UUID, filling fill: (any StorageLoader) throws(StorageError) -> Void,
        verifying verify: (any StorageReader) throws(StorageError) -> Void
    ) throws(StorageError) {
        writer.lock()
        defer { writer.unlock() }
        let (found, isOpen) = state.withLock { ($0.content, $0.isOpen) }
        guard !isOpen else { throw .openWhileLoading }
        guard found == nil else { throw .occupied(storeDescription) }
        let loader = InMemoryLoader(layout)
        try fill(loader)
        let content = try loader.content(StoreMetadata(store: store, model: layout.model))
        try verify(InMemoryReader(content.snapshot))
        state.withLock { $0.content = content }
    }

    private func content() throws(StorageError) -> StoreContent {
        guard let content = state.withLock({ $0.isOpen ? $0.content : nil }) else {
            throw .closed("The store is not open. Open it first.")
        }
        return content
    }
}

extension InMemoryStore: CustomDebugStringConvertible, CoreStoreDebugStringConvertible {
    /// The description of the store, without its content.
    public var coreStoreDumpString: String {
        DumpTree.text([
            ("storeDescription", storeDescription),
            ("configuration", configuration as Any),
            ("migrationMappingProviders", migrationMappingProviders.map { "\(type(of: $0))" }),
        ])
    }
}
