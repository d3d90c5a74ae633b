import Coffer
import Foundation

// contend URL SECONDS PROCESSES      starts processes that increment the same counters, and checks all increments
// work URL SECONDS NUMBER            runs one of these processes
// terminate URL SERVER TRANSACTIONS  runs transactions whose connections are ended, and checks all commits

CoreStoreDefaults.logger = SilentLogger()
let arguments = Array(CommandLine.arguments.dropFirst())
do {
    switch (arguments.first, arguments.count) {
    case ("contend", 4):
        try Contention.run(arguments[1], Double(arguments[2]) ?? 60, Int(arguments[3]) ?? 8)
    case ("work", 4): try Contention.work(arguments[1], Double(arguments[2]) ?? 60, Int(arguments[3]) ?? 0)
    case ("terminate", 4): try Termination.run(arguments[1], server: arguments[2], Int(arguments[3]) ?? 1_000)
    default: throw Failure("usage: see scripts/contend and scripts/terminate")
    }
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}
