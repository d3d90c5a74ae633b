import CofferConfiguration
import CofferStorage
import CofferStorageTools
import Foundation

/// Creates a store with a given number of generated rows, for checks of the command `coffer copy`.
// usage: StoreMaker URL ROWS
//
// Creates a store with a number of rows: people, notes and tags. A tenth of the people have a mentor. The notes of a
// person have an order. There are as many links between people and tags as there are people. The content depends only
// on the number of rows.

guard CommandLine.arguments.count == 3, let rows = Int(CommandLine.arguments[2]), rows >= 10 else {
    FileHandle.standardError.write(Data("usage: StoreMaker URL ROWS\n".utf8))
    exit(64)
}
let content = Content(rows: rows)
let layout = try ModelLayout(Content.model)
let store = try StorageConfiguration(CommandLine.arguments[1]).makeStorage()
try store.load(layout, as: UUID()) { loader throws(StorageError) in try content.fill(loader, layout) }
