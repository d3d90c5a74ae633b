import ArgumentParser
import CofferRecords
import CofferStorage
import Foundation

/// Runs `coffer import URL ENTITY FILE`, which creates and updates objects from a JSON, CSV or TSV file.
struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Creates and updates rows of an entity from a file of JSON lines, a JSON array or CSV.",
        discussion: """
            Keys and columns are the names of attributes and to-one relationships in the model of the store. If one \
            record is refused, the whole file is refused, unless --keep-others is given. One commit saves all rows, \
            unless --batch is given. Ends with the code 1 if records were refused.
            """)

    @Argument(help: "The URL of the store.")
    var url: String

    @Argument(help: "The entity.")
    var entity: String

    @Argument(help: "The file to read.")
    var file: String

    @Option(help: "The attribute that identifies the rows to update. By default, each record creates a row.")
    var key: String?

    @Option(help: "The format: jsonl, json, csv or tsv. The default is the extension of the file.")
    var format: String?

    @Option(help: "The character between two fields of CSV.")
    var separator: String?

    @Option(help: "The number of records that each commit saves.")
    var batch: Int?

    @Flag(help: "Import the other records if some records are refused.")
    var keepOthers = false

    @Flag(help: "Ignore keys and columns that the entity does not have.")
    var ignoreUnknownKeys = false

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        if let batch, batch < 1 { throw ValidationError("--batch must be a number above 0.") }
    }

    func run() throws {
        let file = RecordFile(
            URL(filePath: file), format: try FormatChoice(format: format, separator: separator).format(of: file))
        let opened = try OpenedStore(url)
        defer { opened.store.close() }
        let fields = try EntityFields(entity, in: opened.layout)
        var rowImport = try RowImport(opened, fields, uniqueBy: key)
        let report: RowImport.Report
        do {
            report = try rowImport.run(
                file, batchSize: batch, keepsOthers: keepOthers, ignoresUnknownKeys: ignoreUnknownKeys)
        } catch let error as RecordFileError {
            throw Failure(message: "\(error)\(rowImport.savedText(after: error))")
        } catch let error as StorageError {
            throw Failure(message: "\(error)\(rowImport.savedText(after: error))")
        }
        try show(report)
        if report.refused > 0 { throw ExitCode(1) }
    }

    private func show(_ report: RowImport.Report) throws {
        if json { return try JSONOutput.write(report) }
        for refused in report.refusals { print(Terminal.red("✘ ") + Terminal.printable(refused)) }
        if report.refused > report.refusals.count {
            print("and \((report.refused - report.refusals.count).grouped) more refused records")
        }
        print(
            "Read \(report.records.grouped) records: \(report.created.grouped) created, "
                + "\(report.updated.grouped) updated, \(report.refused.grouped) refused.")
        if report.refused > 0, !keepOthers {
            print(
                report.created + report.updated == 0
                    ? "Nothing was saved." : "The batches before the first refused record were saved.")
        }
    }
}
