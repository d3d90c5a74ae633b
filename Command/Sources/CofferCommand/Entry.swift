import ArgumentParser
import CofferRecords
import CofferStorage
import Foundation

/// Runs the command `coffer`: lists its subcommands, prints errors, and sets the exit code.
///
/// The exit code is 0 if all is well, 1 if a store has problems, 2 if the command could not be carried out, and 64 if
/// it was called wrongly.
@main
enum Entry {
    static func main() async {
        do {
            var command = try Coffer.parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let error as StorageError {
            fail("\(error)")
        } catch let error as Failure {
            fail(error.message)
        } catch let error as RecordFileError {
            fail("\(error)")
        } catch {
            Coffer.exit(withError: error)
        }
    }

    private static func fail(_ message: String) -> Never {
        let line = message.split(whereSeparator: \.isNewline).joined(separator: " ")
        FileHandle.standardError.write(Data("coffer: \(Terminal.printable(line))\n".utf8))
        Foundation.exit(2)
    }
}

/// An error that ends the command with its own message.
struct Failure: Error {
    let message: String
}

/// The command and its subcommands.
struct Coffer: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "coffer",
        abstract: "Inspects, copies and checks stores, and imports and exports files of records.",
        discussion: """
            A URL names a store: sqlite:///path, postgresql://user@host/database?schema=name. \
            Passwords are never printed.
            """,
        subcommands: [Inspect.self, Copy.self, Import.self, Export.self, Check.self, Conformance.self, SQL.self]
    )
}
