import ArgumentParser
import CofferRecords
import CofferStorage
import Foundation

/// Runs `coffer export URL ENTITY [FILE]`, which writes objects to a JSON, CSV or TSV file.
struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes the rows of an entity to a file of JSON lines, a JSON array or CSV.",
        discussion: """
            The rows come from one snapshot, in the order of their keys. Rows of sub-entities are omitted. A to-one \
            relationship is written as the unique attribute of the related row. The file appears complete or not at all.
            """)

    @Argument(help: "The URL of the store.")
    var url: String

    @Argument(help: "The entity.")
    var entity: String

    @Argument(help: "The file to write. The default is the standard output.")
    var file: String?

    @Option(help: "The format: jsonl, json, csv or tsv. The default is the extension of the file, or jsonl.")
    var format: String?

    @Option(help: "The character between two fields of CSV.")
    var separator: String?

    func run() throws {
        let chosen = try FormatChoice(format: format, separator: separator).format(of: file)
        let opened = try OpenedStore(url)
        defer { opened.store.close() }
        let fields = try EntityFields(entity, in: opened.layout)
        let export = RowExport(store: opened.store, fields: fields, format: chosen)
        guard let file else {
            _ = try export.write(to: .standardOutput, name: "standard output")
            return fields.reportOmitted()
        }
        let place = ExportPlace(file)
        let count = try place.write { try export.write(to: $0, name: place.name) }
        fields.reportOmitted()
        let text = "Exported \(count.grouped) rows of '\(Terminal.printable(entity))'.\n"
        // The device may be the standard output.
        let output: FileHandle = place.isDevice ? .standardError : .standardOutput
        try output.write(contentsOf: Data(text.utf8))
    }
}
