import Foundation

// Commits to the file given as argument until it is killed, or migrates or upgrades it and waits to be killed. Says
// "open" before it opens the file, and then the number of each commit once it has returned, or "0" when the file is
// migrated or upgraded.

func say(_ text: String) {
    FileHandle.standardOutput.write(Data("\(text)\n".utf8))
}

let arguments = CommandLine.arguments
guard arguments.count == 2 || [["migrate"], ["upgrade"]].contains(arguments.dropFirst(2)) else {
    fatalError("usage: CrashProbe FILE [migrate | upgrade]")
}
let file = URL(filePath: arguments[1])
say("open")
if arguments.count == 3 {
    try arguments[2] == "migrate" ? Archive.migrate(file) : OldFile.open(file)
    say("0")
    while true { sleep(1) }
}
let ledger = try Ledger(fileURL: file)
while true { say("\(try ledger.commit())") }
