public import CofferStorage

/// A store that forwards all calls to another store, records the requests, and fails on command.
public final class ProbedStore: ReplicatedStorage {
    /// The operations that can be made to fail.
    public enum Operation: Hashable, Sendable {
        case read
        case reserve
        case commit
    }

    public static let storeType = "Probed"

    private let base: any StorageInterface
    private let state = Locked(State())

    private struct State {
        var requests: [String] = []
        var countdowns: [Operation: (others: Int, error: StorageError)] = [:]
        var layout: ModelLayout?
        var hooks: [Operation: @Sendable () -> Void] = [:]
        var lateReads = 0
        var readRows = 0
        var readers = 0
        var currentReaders = 0
    }

    public init(_ base: any StorageInterface) {
        self.base = base
    }

    public var configuration: ModelConfiguration { base.configuration }
    public var storeDescription: String { "ProbedStore" }

    /// Makes one operation fail: the next one, or a later one after the number of others.
    public func fail(
        _ operation: Operation, after others: Int = 0, with error: StorageError = .init(.failed, "The disk is on fire.")
    ) {
        state.withLock { $0.countdowns[operation] = (others, error) }
    }

    /// Runs a closure at the next operation of a kind, before the store carries out the operation.
    public func atNext(_ operation: Operation, _ hook: @escaping @Sendable () -> Void) {
        state.withLock { $0.hooks[operation] = hook }
    }

    /// The number of reads that were still running when their reader was finished.
    public var lateReadCount: Int { state.withLock { $0.lateReads } }

    /// Cancels a planned failure that has not happened yet; returns whether there was one.
    public func stopFailing(_ operation: Operation) -> Bool {
        state.withLock { $0.countdowns.removeValue(forKey: operation) != nil }
    }

    /// Returns the requests since the last call: "rows Person", "related Person.pets of 3".
    public func takeRequests() -> [String] {
        state.withLock { state in
            defer { state.requests = [] }
            return state.requests
        }
    }

    /// Returns the number of rows, keys and members that were read since the last call.
    public func takeReadRowCount() -> Int {
        state.withLock { state in
            defer { state.readRows = 0 }
            return state.readRows
        }
    }

    fileprivate func count<Element>(_ read: [Element]) -> [Element] {
        state.withLock { $0.readRows += read.count }
        return read
    }

    /// The number of readers that are not finished.
    public var readerCount: Int { state.withLock { $0.readers } }

    /// The number of created readers that must show all committed changes.
    public var currentReaderCount: Int { state.withLock { $0.currentReaders } }

    fileprivate func countLateRead() { state.withLock { $0.lateReads += 1 } }

    fileprivate func countReaders(by change: Int) { state.withLock { $0.readers += change } }

    fileprivate func note(_ operation: Operation, _ request: (ModelLayout) -> String) throws(StorageError) {
        if let hook = state.withLock({ $0.hooks.removeValue(forKey: operation) }) { hook() }
        let failure = state.withLock { state -> StorageError? in
            if let layout = state.layout { state.requests.append(request(layout)) }
            guard let (others, error) = state.countdowns[operation] else { return nil }
            state.countdowns[operation] = others == 0 ? nil : (others - 1, error)
            return others == 0 ? error : nil
        }
        if let failure { throw failure }
    }

    public func inspect() throws(StorageError) -> StoreMetadata? { try base.inspect() }

    public func open(_ layout: ModelLayout) throws(StorageError) -> StoreMetadata {
        state.withLock { $0.layout = layout }
        return try base.open(layout)
    }

    public func close() { base.close() }

    public func erase() throws(StorageError) { try base.erase() }

    public func makeReader() throws(StorageError) -> any StorageReader {
        let reader = ProbedReader(self, try base.makeReader())
        countReaders(by: 1)
        return reader
    }

    public func makeCurrentReader() throws(StorageError) -> any StorageReader {
        state.withLock { $0.currentReaders += 1 }
        return try makeReader()
    }

    public func reserveKeys(_ count: Int, root: Int) throws(StorageError) -> Range<Int64> {
        try note(.reserve) { "reserve \($0.entities[root].name)" }
        return try base.reserveKeys(count, root: root)
    }

    public func commit(_ changes: ChangeSet) throws(StorageError) -> CommitResult {
        try note(.commit) { _ in
            let links =
                changes.hasLinks ? " ~\(changes.links.count + changes.unlinks.count + changes.moves.count)" : ""
            return "commit +\(changes.inserts.count) *\(changes.updates.count) -\(changes.deletes.count)\(links)"
        }
        return try base.commit(changes)
    }
}

private final class ProbedReader: StorageReader {
    private let store: ProbedStore
    private let base: any StorageReader
    private let isFinished = Locked(false)

    init(_ store: ProbedStore, _ base: any StorageReader) {
        self.store = store
        self.base = base
    }

    private func note(_ request: (ModelLayout) -> String) throws(StorageError) {
        try store.note(.read, request)
        if isFinished.withLock({ $0 }) { store.countLateRead() }
    }

    func rows(_ request: RowRequest) throws(StorageError) -> [Row] {
        try note { "rows \($0.entities[request.entity].name)" }
        return store.count(try base.rows(request))
    }

    func keys(_ request: RowRequest) throws(StorageError) -> [Int64] {
        try note { "keys \($0.entities[request.entity].name)" }
        return store.count(try base.keys(request))
    }

    func count(_ request: RowRequest) throws(StorageError) -> Int {
        try note { "count \($0.entities[request.entity].name)" }
        return try base.count(request)
    }

    func values(_ request: ValueRequest) throws(StorageError) -> [[Value]] {
        try note { "values \($0.entities[request.rows.entity].name)" }
        return try base.values(request)
    }

    func row(root: Int, key: Int64) throws(StorageError) -> Row? {
        try note { "row \($0.entities[root].name)" }
        return try base.row(root: root, key: key)
    }

    func rows(root: Int, keys: [Int64]) throws(StorageError) -> [Row] {
        try note { "\(keys.count) rows \($0.entities[root].name)" }
        return store.count(try base.rows(root: root, keys: keys))
    }

    func related(_ relationship: Int, of owners: [Int64]) throws(StorageError) -> [RelatedRows] {
        try note { layout in
            let layout = (layout.relationships[relationship], layout.entities)
            return "related \(layout.1[layout.0.owner].name).\(layout.0.name) of \(owners.count)"
        }
        let related = try base.related(relationship, of: owners)
        _ = store.count(related.flatMap(\.rows))
        return related
    }

    func members(_ relationship: Int, of owners: [Int64]) throws(StorageError) -> [RelatedMembers] {
        try note { layout in
            let layout = (layout.relationships[relationship], layout.entities)
            return "members \(layout.1[layout.0.owner].name).\(layout.0.name) of \(owners.count)"
        }
        let related = try base.members(relationship, of: owners)
        _ = store.count(related.flatMap(\.members))
        return related
    }

    func lastPlaces(_ relationship: Int, of owners: [Int64]) throws(StorageError) -> [Int64: Int64] {
        try note { layout in
            let layout = (layout.relationships[relationship], layout.entities)
            return "last \(layout.1[layout.0.owner].name).\(layout.0.name) of \(owners.count)"
        }
        return try base.lastPlaces(relationship, of: owners)
    }

    deinit { finish() }

    func finish() {
        let wasFinished = isFinished.withLock { isFinished in
            defer { isFinished = true }
            return isFinished
        }
        guard !wasFinished else { return }
        base.finish()
        store.countReaders(by: -1)
    }
}
