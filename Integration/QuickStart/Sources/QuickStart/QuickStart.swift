import Coffer
import Foundation

@main
struct QuickStart {
    private static let help = """
        Loads the world's countries, subdivisions, currencies and languages, and shows what Coffer does with them.

        usage: quickstart [memory: | sqlite:///path]
        """

    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count <= 1, arguments.first != "--help", arguments.first != "-h" else { return print(help) }
        do {
            let report = Report()
            try run(in: Place(arguments.first ?? "memory:"), report)
            exit(report.failures == 0 ? 0 : 1)
        } catch {
            FileHandle.standardError.write(Data("error: \(error)\n".utf8))
            exit(1)
        }
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
        if case .sqlite(let file) = place {
            try reopen(place, file, after: stack, report)
        }
    }

    private static func load(_ codes: ISOCodes, into stack: DataStack, _ report: Report) throws {
        let bar = ProgressBar(total: codes.total)
        let loader = Loader(stack: stack, codes: codes, advance: bar.advance)
        try report.step(
            "Load: \(codes.total) entries of the ISO standards",
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

    private static func reopen(_ place: Place, _ file: URL, after stack: DataStack, _ report: Report) throws {
        let before = try Census(of: stack)
        stack.unsafeRemoveAllPersistentStoresAndWait()
        try report.step("Reopen: the same file, in a new stack", { try place.open() }) { again in
            let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int ?? 0
            report.fact("size of the file", "\(size / 1_024) KB")
            report.expect("all \(before.total) objects are there", try Census(of: again) == before)
        }
    }
}
