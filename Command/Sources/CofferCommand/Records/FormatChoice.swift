import CofferRecords
import Foundation

/// Chooses the format of a record file by `--format`, `--separator` or the file extension; refuses invalid values.
struct FormatChoice {
    let format: String?
    let separator: String?

    /// The format of a file, by the options or else by its extension.
    ///
    /// - Parameter path: nil for the standard output.
    func format(of path: String?) throws -> RecordFormat {
        let name = format ?? path.map { URL(filePath: $0).pathExtension } ?? "jsonl"
        guard var format = RecordFormat(fileExtension: name) else {
            throw Failure(message: "The format '\(name)' is unknown. Give --format jsonl, json, csv or tsv.")
        }
        if let separator {
            guard case .csv = format else {
                throw Failure(message: "--separator is for CSV, but the format is '\(name)'. Give --format csv.")
            }
            guard separator.count == 1, let character = separator.first, character.isASCII else {
                throw Failure(message: "'\(separator)' is not a separator. Give one ASCII character.")
            }
            format = .csv(separator: character)
        }
        return format
    }
}
