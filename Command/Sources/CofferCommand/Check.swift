import ArgumentParser
import CofferStorage
import CofferStorageTools

/// Runs `coffer check URL`: prints the problems of a store, and ends with the code 1 if there are any.
struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Finds damage, references and links to missing rows, and values that break the rules of the model.",
        discussion: "Ends with the code 1 if a problem is found.")

    @Argument(help: "The URL of the store.")
    var url: String

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let problems = try problems()
        if json {
            try JSONOutput.write(problems)
        } else {
            for problem in problems { print(Terminal.red("✘ ") + Terminal.printable("\(problem)")) }
            if problems.isEmpty { print(Terminal.green("✔ ") + "No problem was found.") }
        }
        guard problems.isEmpty else { throw ExitCode(1) }
    }

    private func problems() throws -> [StoreProblem] {
        do {
            let opened = try OpenedStore(url)
            defer { opened.store.close() }
            return try opened.store.problems(opened.layout)
        } catch let error as StorageError where error.code == .corrupt {
            // The store is so damaged that it cannot be opened.
            return [.damaged(error)]
        }
    }
}
