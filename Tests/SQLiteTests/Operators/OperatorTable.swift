import Coffer
import Foundation

/// Every operator with every type of value: the table in `docs/operators.md`, and what its tests check.
struct OperatorTable {
    struct Row: Sendable {
        let section: String
        let name: String
        /// The condition in types, and as it is spelt; nil where only a format string says it.
        let typed: (condition: Where<Thing>, spelling: String)?
        let format: String
        let arguments: [any Sendable]
        /// The names of the things that the condition holds for.
        let finds: String
    }

    private(set) var rows: [Row] = []
    var section = ""
    private let lines: [Substring]

    init() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "OperatorTable+Rows.swift")
        lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
        addRows()
    }

    mutating func add(
        _ name: String, _ typed: Where<Thing>?, _ format: String, _ arguments: any Sendable..., finds: String,
        line: Int = #line
    ) {
        let source = lines[line - 1..<min(line + 3, lines.count)].map { $0.trimmingCharacters(in: .whitespaces) }
        let spelling = spelling(source.joined(separator: " "), name, format)
        rows.append(
            Row(
                section: section, name: name, typed: typed.map { ($0, spelling) }, format: format,
                arguments: arguments, finds: finds))
    }

    /// What stands between the name and the format string.
    private func spelling(_ source: String, _ name: String, _ format: String) -> String {
        guard let start = source.firstRange(of: "\"\(name)\", "), let end = source.firstRange(of: ", \"\(format)\"")
        else { return "" }
        return String(source[start.upperBound..<end.lowerBound])
    }

    /// The table in Markdown.
    ///
    /// - Parameter sql: the condition of a row in SQL.
    func markdown(sql: (Row) throws -> String) rethrows -> String {
        var text = Self.introduction
        var section = ""
        for row in rows {
            if row.section != section {
                section = row.section
                text += "\n## \(section)\n\n| operator | typed | format string | SQL | finds |\n|---|---|---|---|---|\n"
            }
            let cells = [
                row.name, row.typed?.spelling ?? "", row.format, try sql(row), row.finds,
            ]
            text += "| \(cells.map(Self.cell).joined(separator: " | ")) |\n"
        }
        return text
    }

    private static func cell(_ text: String) -> String {
        text.isEmpty ? "—" : "`\(text.replacing("|", with: "\\|"))`"
    }

    private static let introduction = """
        # Operators

        Every operator with every type of value, and with nil. `scripts/operators` writes this page from the rows in
        `Tests/SQLiteTests/Operators`, whose tests run each condition, typed and as a format string, on every backend:
        both must find the same things, and the negated condition all the others.

        There are four things: `a`, `b` and `c`, whose values rise (`whole` 1, 2, 3; `real` 1.5, 2.5, 3.5; `exact` 1.1,
        2.2, 3.3; `flag` false, true, true; `day` three dates with none between them; `text` Abel, Bell, côte; `data` of the
        bytes 1, 2, 3), and `nil`, which has no values. `a` is the `friend` of `b`, `b` that of `c`, and `things` leads
        back. The SQL is the condition as SQLite gets it; InMemory runs the same on compiled closures. A dash stands for
        nothing: no typed spelling, or nothing found. `.loose` is `[.caseInsensitive, .diacriticInsensitive]`.

        """
}
