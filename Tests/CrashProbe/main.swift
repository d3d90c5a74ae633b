import Foundation

// Commits to the file given as argument until it is killed, or migrates or upgrades it and waits to be killed. Says
// "open" before it opens the file, and then the number of each commit once it has returned, or "0" when the file is
// migrated or upgraded.
//
// With "race NAME", or "race NAME hastily", it reads the files from its input, and says what ``Race`` does and then
// "done" for each.

func say(_ text: String) {
    FileHandle.standardOutput.write(Data("\(text)\n".utf8))
}

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "race", arguments.count >= 2 {
    while let path = readLine() {
        Race.run(URL(filePath: path), writer: arguments[1], isHasty: arguments.last == "hastily", say)
        say("done")
    }
    exit(0)
}
guard arguments.count == 1 || [["migrate"], ["upgrade"]].contains(arguments.dropFirst()) else {
    fatalError("usage: CrashProbe FILE [migrate | upgrade] | race NAME [hastily]")
}
let file = URL(filePath: arguments[0])
say("open")
if arguments.count == 2 {
    try arguments[1] == "migrate" ? Archive.migrate(file) : OldFile.open(file)
    say("0")
    while true { sleep(1) }
}
let ledger = try Ledger(fileURL: file)
while true { say("\(try ledger.commit())") }
