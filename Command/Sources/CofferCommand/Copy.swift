import ArgumentParser
import CofferConfiguration
import CofferInMemory
import CofferStorage
import CofferStorageTools
import Foundation

/// Runs `coffer copy FROM TO`, which copies a store to another URL and shows the progress.
struct Copy: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copies a store to a new location. The copy is verified, and appears complete or not at all.",
        discussion: """
            The command copies one snapshot, even while other processes write. It reads the copy back and compares the \
            checksums before the copy becomes visible. If the command is interrupted at any moment, nothing remains at the target.
            """)

    @Argument(help: "The URL of the store to copy.")
    var from: String

    @Argument(help: "The URL of the new store.")
    var to: String

    @Flag(name: .shortAndLong, help: "Show no progress.")
    var quiet = false

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let target = try StoreURL.configuration(to).makeStorage()
        guard !(target is InMemoryStore) else {
            throw StorageError(
                .invalidConfiguration, "A copy in memory is lost at exit. Give a file or a server.")
        }
        let source = try OpenedStore(from)
        defer { source.store.close() }
        var bar = ProgressBar(isShown: !quiet && isatty(STDERR_FILENO) == 1)
        defer { bar.clear() }
        let start = ContinuousClock.now
        let summary = try source.store.copy(source.layout, to: target) { report in bar.show(report) }
        bar.clear()
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        if json { return try JSONOutput.write(Result(summary: summary, checksum: summary.checksum, seconds: seconds)) }
        let rate = Int(Double(summary.rowCount + summary.linkCount) / max(seconds, 0.001))
        print(
            "Copied \(summary.rowCount.grouped) rows and \(summary.linkCount.grouped) links to "
                + "\(Terminal.printable(target.storeDescription)) in \(String(format: "%.1f", seconds)) s, "
                + "\(rate.grouped) a second, and read them back.")
        print("checksum  \(summary.checksum)")
    }

    private struct Result: Encodable {
        let summary: StoreSummary
        let checksum: String
        let seconds: Double
    }
}
