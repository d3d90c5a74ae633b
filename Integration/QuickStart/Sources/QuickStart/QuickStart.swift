import Coffer
import Foundation

@main
struct QuickStart {
    private static let help = """
        Loads the world's countries, subdivisions, currencies and languages, and shows what Coffer does with them.

        usage: quickstart [memory: | sqlite:///path | postgresql://user@host/database?schema=name]

        Without a place, uses a SQLite file that is thrown away afterwards.
        """

    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.contains("--help") || arguments.contains("-h") { return print(help) }
        do {
            guard arguments.count <= 1 else {
                throw QuickStartError("One place is enough, such as memory: or sqlite:///path.", exitCode: 2)
            }
            let report = Report()
            if let text = arguments.first {
                try run(in: Place(text), report)
            } else {
                try runInTemporaryFile(report)
            }
            report.conclude()
            exit(report.failures == 0 ? 0 : 1)
        } catch {
            FileHandle.standardError.write(Data("error: \(error)\n".utf8))
            exit((error as? QuickStartError)?.exitCode ?? 1)
        }
    }

    private static func runInTemporaryFile(_ report: Report) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("coffer-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try run(in: Place("sqlite://\(folder.path)/atlas.sqlite"), report)
    }

    private static func run(in place: Place, _ report: Report) throws {
        report.title("Coffer quick start", place.description)
        let codes = try ISOCodes()
        let stack = try place.open()
        guard try Census(of: stack).total == 0 else {
            throw QuickStartError("There are data in this store already. Give the path of a new file.")
        }
        try load(codes, into: stack, report)
        try Tour(stack: stack, report: report).run()
        if place.isLasting { try reopen(place, after: stack, report) }
    }

    private static func load(_ codes: ISOCodes, into stack: DataStack, _ report: Report) throws {
        let bar = ProgressBar(total: codes.total)
        let loader = Loader(stack: stack, codes: codes, advance: bar.advance)
        try report.step(
            "Load: \(Text.number(codes.total)) entries of the ISO standards",
            {
                defer { bar.finish() }
                try loader.load()
            }
        ) {
            let census = try Census(of: stack)
            report.fact("countries", census.countries)
            report.fact("subdivisions", census.subdivisions)
            report.fact("currencies", census.currencies)
            report.fact("languages", census.languages)
            report.expect("all are there", census.total == codes.total)
        }
    }

    private static func reopen(_ place: Place, after stack: DataStack, _ report: Report) throws {
        let census = try Census(of: stack)
        let fingerprint = try Fingerprint(of: stack)
        stack.unsafeRemoveAllPersistentStoresAndWait()
        try report.step("Reopen: the same place, in a new stack", { try place.open() }) { again in
            if let size = place.fileSize { report.fact("size of the file", "\(Text.number(size / 1_024)) KB") }
            report.expect("all \(Text.number(census.total)) objects are there", try Census(of: again) == census)
            report.expect("every value and relationship is the same", try Fingerprint(of: again) == fingerprint)
        }
    }
}
