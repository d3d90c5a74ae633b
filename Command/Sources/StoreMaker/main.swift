import CofferConfiguration
import CofferStorage
import CofferStorageTools
import Foundation

/// Creates a store with a given number of generated rows, for checks of the command `coffer copy`.
// usage: StoreMaker URL ROWS
//
// Makes a store of some rows: people, a tenth of them with a mentor, their notes in an order of their own, and tags, with
// as many links as there are people. What is in it depends on the number of rows only.

guard CommandLine.arguments.count == 3, let rows = Int(CommandLine.arguments[2]), rows >= 10 else {
    FileHandle.standardError.write(Data("usage: StoreMaker URL ROWS\n".utf8))
    exit(64)
}
let content = Content(rows: rows)
let layout = try ModelLayout(Content.model)
let store = try StorageConfiguration(CommandLine.arguments[1]).makeStorage()
try store.load(layout, as: UUID()) { loader throws(StorageError) in try content.fill(loader, layout) }
