import CofferConformance
import CofferInMemory
import CofferStorage
import CofferStorageTools
import Foundation

/// A store without defects, except for the changes that a saboteur makes.
final class SabotagedStore: StorageInterface {
    static let storeType = "Sabotaged"

    let inner: any StorageInterface
    let saboteur: Saboteur

    init(_ inner: any StorageInterface, _ saboteur: Saboteur) {
        self.inner = inner
        self.saboteur = saboteur
    }

    var configuration: ModelConfiguration { inner.configuration }
    var storeDescription: String { inner.storeDescription }

    func inspect() throws(StorageError) -> StoreMetadata? { try inner.inspect() }

    func open(_ layout: ModelLayout) throws(StorageError) -> StoreMetadata {
        saboteur.layout.withLock { $0 = layout }
        if let open = saboteur.open { return try open(inner, layout) }
        return try inner.open(layout)
    }

    func close() { saboteur.close.map { $0(inner) } ?? inner.close() }
    func erase() throws(StorageError) { try inner.erase() }

    func makeReader() throws(StorageError) -> any StorageReader {
        SabotagedReader(try inner.makeReader(), self)
    }

    func reserveKeys(_ count: Int, root: Int) throws(StorageError) -> Range<Int64> {
        let keys = try inner.reserveKeys(count, root: root)
        return saboteur.keys?(keys) ?? keys
    }

    func commit(_ changes: ChangeSet) throws(StorageError) -> CommitResult {
        if let commit = saboteur.commit { return try commit(inner, changes) }
        return try inner.commit(changes)
    }
}

extension SabotagedStore: MigratableStorage {
    func migrate(
        _ steps: [MigrationPlan], report: (MigrationReport) throws(StorageError) -> Void
    ) throws(StorageError) -> StoreMetadata {
        if let migrate = saboteur.migrate { return try migrate(inner, steps) }
        return try inner.migrate(along: steps, report: report)
    }
}

extension SabotagedStore: LoadableStorage {
    func load(
        _ layout: ModelLayout, as store: UUID, filling fill: (any StorageLoader) throws(StorageError) -> Void,
        verifying verify: (any StorageReader) throws(StorageError) -> Void
    ) throws(StorageError) {
        try inner.load(layout, as: store) { loader throws(StorageError) in
            try fill(SabotagedLoader(loader, saboteur))
        } verify: { reader throws(StorageError) in
            if !saboteur.skipsVerifying { try verify(reader) }
        }
    }
}

/// A loader that passes on the rows and links that the saboteur returns.
final class SabotagedLoader: StorageLoader {
    private let inner: any StorageLoader
    private let saboteur: Saboteur

    init(_ inner: any StorageLoader, _ saboteur: Saboteur) {
        self.inner = inner
        self.saboteur = saboteur
    }

    func add(_ rows: [Row]) throws(StorageError) { try inner.add(saboteur.loadedRows?(rows) ?? rows) }
    func add(_ links: [ChangeSet.Link]) throws(StorageError) { try inner.add(saboteur.loadedLinks?(links) ?? links) }

    func continueKeys(at next: Int64, root: Int) throws(StorageError) {
        if !saboteur.forgetsKeys { try inner.continueKeys(at: next, root: root) }
    }
}

extension SabotagedReader: LinkReader {
    func links(_ table: Int, after last: ChangeSet.Link?, limit: Int) throws(StorageError) -> [ChangeSet.Link] {
        guard let reader = try reader() as? any LinkReader else { return [] }
        return try reader.links(table, after: last, limit: limit)
    }
}

final class SabotagedReader: StorageReader {
    private let inner: any StorageReader
    private let store: SabotagedStore
    private var saboteur: Saboteur { store.saboteur }

    init(_ inner: any StorageReader, _ store: SabotagedStore) {
        self.inner = inner
        self.store = store
    }

    /// Returns the reader of the snapshot, or a reader of the latest state if the saboteur tears the snapshot.
    private func reader() throws(StorageError) -> any StorageReader {
        saboteur.isTorn ? try store.inner.makeReader() : inner
    }

    private func wanted(_ request: RowRequest) -> RowRequest { saboteur.request?(request) ?? request }

    func rows(_ request: RowRequest) throws(StorageError) -> [Row] {
        let rows = try reader().rows(wanted(request))
        return saboteur.rows?(rows, request) ?? rows
    }

    func keys(_ request: RowRequest) throws(StorageError) -> [Int64] {
        let rows = try reader().rows(wanted(request))
        return (saboteur.rows?(rows, request) ?? rows).map(\.key)
    }

    func count(_ request: RowRequest) throws(StorageError) -> Int {
        try reader().count(saboteur.counted?(request) ?? wanted(request))
    }

    func values(_ request: ValueRequest) throws(StorageError) -> [[Value]] {
        let reader = try reader()
        if let values = saboteur.values { return try values(reader, request) }
        return try reader.values(request)
    }

    func row(root: Int, key: Int64) throws(StorageError) -> Row? {
        guard let row = try reader().row(root: root, key: key) else { return nil }
        return saboteur.rows?([row], RowRequest(entity: root))[0] ?? row
    }

    func rows(root: Int, keys: [Int64]) throws(StorageError) -> [Row] { try reader().rows(root: root, keys: keys) }

    func related(_ relationship: Int, of owners: [Int64]) throws(StorageError) -> [RelatedRows] {
        let found = try reader().related(relationship, of: owners)
        return saboteur.related?(found) ?? found
    }

    func members(_ relationship: Int, of owners: [Int64]) throws(StorageError) -> [RelatedMembers] {
        let found = try reader().members(relationship, of: owners)
        return saboteur.members?(found) ?? found
    }

    func lastPlaces(_ relationship: Int, of owners: [Int64]) throws(StorageError) -> [Int64: Int64] {
        let found = try reader().lastPlaces(relationship, of: owners)
        return saboteur.lastPlaces?(found) ?? found
    }

    func forEachRow(_ request: RowRequest, _ body: (consuming Row) -> Void) throws(StorageError) {
        for row in try rows(request).dropFirst(saboteur.skipsRows ? 1 : 0) { body(row) }
    }

    func forEachRelated(
        _ relationship: Int, of owners: [Int64], _ body: (_ owner: Int64, _ row: consuming Row) -> Void
    ) throws(StorageError) {
        for related in try related(relationship, of: owners) {
            for row in related.rows.dropFirst(saboteur.skipsRows ? 1 : 0) { body(related.owner, row) }
        }
    }

    func finish() { inner.finish() }
}

struct SabotagedFixture: StorageFixture {
    static let isShared = true

    private let store: SabotagedStore

    init() { self.init(Saboteur("does nothing", caughtBy: "")) }
    init(_ saboteur: Saboteur) { store = SabotagedStore(InMemoryStore(), saboteur) }

    func makeStore() -> any StorageInterface { store }
    func destroy() {}
}

/// A fixture in which each store has its own place, to test the suite with data that are not persistent.
struct ForgetfulFixture: StorageFixture {
    static let isPersistent = false

    init() {}
    func makeStore() -> any StorageInterface { InMemoryStore() }
    func destroy() {}
}
