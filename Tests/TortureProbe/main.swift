import Coffer
import Foundation

// torture SECONDS SEED DIRECTORY SERVER SHIM   runs rounds of faults, and checks the stored objects after each round
// work URL NUMBER SEED TRANSACTIONS            runs one process that writes
// share URL NUMBER SEED VISITS DESTRUCTIVE     runs one process that opens, migrates and, if DESTRUCTIVE, erases

CoreStoreDefaults.logger = SilentLogger()
let arguments = Array(CommandLine.arguments.dropFirst())
do {
    switch (arguments.first, arguments.count) {
    case ("torture", 6):
        var torture = try Torture(
            directory: URL(filePath: arguments[3]), serverURL: arguments[4], shim: arguments[5],
            seed: UInt64(arguments[2]) ?? 0, kinds: ProcessInfo.processInfo.environment["COFFER_KINDS"] ?? "")
        try torture.run(seconds: Double(arguments[1]) ?? 60)
    case ("work", 5):
        var worker = Worker(
            url: arguments[1], number: Int(arguments[2]) ?? 0, seed: UInt64(arguments[3]) ?? 0,
            transactions: Int(arguments[4]) ?? 0)
        worker.run()
    case ("share", 6):
        var sharer = Sharer(
            url: arguments[1], number: Int(arguments[2]) ?? 0, seed: UInt64(arguments[3]) ?? 0,
            visits: Int(arguments[4]) ?? 0, isDestructive: arguments[5] == "true")
        sharer.run()
    default: throw Failure("usage: see scripts/torture")
    }
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}
