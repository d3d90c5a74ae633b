import Foundation

// Commits to the file given as argument until it is killed. Says "open" before it opens the file, and then the number
// of each commit once it has returned.

func say(_ text: String) {
    FileHandle.standardOutput.write(Data("\(text)\n".utf8))
}

guard CommandLine.arguments.count == 2 else { fatalError("usage: CrashProbe FILE") }
say("open")
let ledger = try Ledger(fileURL: URL(filePath: CommandLine.arguments[1]))
while true { say("\(try ledger.commit())") }
