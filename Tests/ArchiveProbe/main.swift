import CofferInMemory
import CofferPostgreSQL
import CofferSQLite
import CofferStorage
import CofferStorageTools
import Foundation

// Uses the optional capabilities of stores beyond `StorageInterface`, which are found at run time.
// scripts/check-archive links this program with plain static archives. From those, a linker takes only the object
// files that are referenced.

func model(_ version: String, _ attribute: String) -> StoreModel {
    StoreModel(
        version: version,
        entities: [
            EntityDescription(
                name: "Song", attributes: [.init(name: attribute, type: .stringAttributeType, isOptional: true)],
                relationships: [.init(name: "lists", destination: "List", inverse: "songs", isToMany: true)]),
            EntityDescription(
                name: "List", attributes: [],
                relationships: [.init(name: "songs", destination: "Song", inverse: "lists", isToMany: true)]),
        ])
}

func fail(_ text: String) -> Never {
    print("error: \(text)")
    exit(1)
}

func use(_ store: any StorageInterface, isChecked: Bool, isCancelled: Bool = false) throws {
    let name = type(of: store).storeType
    let (old, new) = (try ModelLayout(model("V1", "title")), try ModelLayout(model("V2", "name")))
    try store.erase()
    _ = try store.open(old)
    var changes = ChangeSet()
    for entity in old.entities {
        let key = try store.reserveKeys(1, root: entity.index).lowerBound
        changes.inserts.append(
            .init(
                row: RowBuilder(
                    entity: entity.index, key: key, version: 1, slotCount: entity.kinds.count, tailCapacity: 0
                ).build()))
    }
    changes.links = [.init(table: 0, first: changes.inserts[0].row.key, second: changes.inserts[1].row.key)]
    _ = try store.commit(changes)
    // This check reads links, which requires a `LinkReader`.
    guard try store.problems(old).isEmpty else { fail("\(name) has problems.") }
    guard !isChecked || store is any CheckableStorage else { fail("\(name) cannot be checked.") }
    let reader = try store.makeReader()
    guard !isCancelled || reader is any CancellableReader else { fail("\(name)'s readers cannot be cancelled.") }
    reader.finish()
    store.close()
    try store.migrate(along: [.inferred(from: old.model, to: new.model)])
    _ = try store.open(new)
    guard try store.problems(new).isEmpty else { fail("\(name) has problems after its migration.") }
    try store.erase()
    try store.load(new, as: UUID()) { _ throws(StorageError) in }
    guard store is any ConfigurableStorage else { fail("\(name) is not known by URLs.") }
    try store.erase()
    print("\(name) migrates, and can be checked and loaded.")
}

let file = FileManager.default.temporaryDirectory.appending(path: "archive-\(UUID()).sqlite")
try use(InMemoryStore(), isChecked: false)
try use(SQLiteStore(fileURL: file), isChecked: true)
guard SQLiteStore(fileURL: file) as any StorageInterface is any LocalStorage else { fail("SQLite is not local.") }
if let url = ProcessInfo.processInfo.environment["COFFER_POSTGRES_URL"] {
    let separator = url.contains("?") ? "&" : "?"
    let place = try StorageURL("\(url)\(separator)schema=coffer_archive")
    try use(PostgreSQLStore.make(place), isChecked: true, isCancelled: true)
    guard try PostgreSQLStore.make(place) as any StorageInterface is any ReplicatedStorage else {
        fail("PostgreSQL has no replicas.")
    }
}
