import CrashProbe
import Foundation
import TestSupport
import Testing

/// Processes that open one file at the same moment.
struct RaceTests {
    /// If `isOld` is true, a file of another model exists, and the processes recreate it.
    @Test(arguments: [false, true])
    func `changes of processes that open a file at once are all saved`(_ isOld: Bool) throws {
        let environment = ProcessInfo.processInfo.environment
        let rounds = environment["COFFER_RACES"].flatMap { Int($0) } ?? 100
        let directory = try TemporaryDirectory.make()
        defer { try? FileManager.default.removeItem(at: directory) }
        // The hasty processes fail while other processes create the file.
        let processes = try (0..<4).map { try RacingProcess("p\($0)", isHasty: $0 >= 2) }
        for round in 1...rounds {
            let file = directory.appending(path: "race-\(round).sqlite")
            if isOld { try Race.makeOld(file) }
            for process in processes { try process.open(file) }
            var saved: Set<String> = []
            for process in processes {
                for line in try process.lines() {
                    let isSaved = line.hasPrefix("saved ")
                    #expect(isSaved, "round \(round): \(process.name) printed \(line)")
                    if isSaved { saved.insert("\(process.name) \(line.dropFirst("saved ".count))") }
                }
            }
            let found = try Race.content(of: file)
            #expect(found == saved, "round \(round) of \(rounds)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path()) == [file.lastPathComponent])
            try? FileManager.default.removeItem(at: file)
        }
    }
}
