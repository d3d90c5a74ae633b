import Coffer
import Foundation

// torture SECONDS SEED DIRECTORY SERVER SHIM   rounds of faults, each followed by a look at what is stored
// work URL NUMBER SEED TRANSACTIONS            one process that writes

CoreStoreDefaults.logger = SilentLogger()
let arguments = Array(CommandLine.arguments.dropFirst())
do {
    switch (arguments.first, arguments.count) {
    case ("torture", 6):
        var torture = Torture(
            directory: URL(filePath: arguments[3]), server: arguments[4], shim: arguments[5],
            seed: UInt64(arguments[2]) ?? 0)
        try torture.run(seconds: Double(arguments[1]) ?? 60)
    case ("work", 5):
        var worker = Worker(
            url: arguments[1], number: Int(arguments[2]) ?? 0, seed: UInt64(arguments[3]) ?? 0,
            transactions: Int(arguments[4]) ?? 0)
        worker.run()
    default: throw Failure("usage: see scripts/torture")
    }
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}
