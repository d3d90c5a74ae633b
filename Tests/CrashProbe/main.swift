import Foundation

// Commits to the file in the first argument until the process is killed, or migrates or upgrades the file and waits
// for the kill. Prints "open" before it opens the file. Then it prints the number of each commit after the commit, or
// "0" after the migration or upgrade.
//
// With "race NAME" or "race NAME hastily", it reads file names from its input. For each file, it prints the messages
// of ``Race``, and then "done".

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
