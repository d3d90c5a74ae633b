import Coffer
import Foundation

/// Every operator with every type of value, for the table in `docs/operators.md` and for its tests.
struct OperatorTable {
    struct Row: Sendable {
        let section: String
        let name: String
        /// The typed condition and its source; nil if only a format string can express the condition.
        let typed: (condition: Where<Thing>, spelling: String)?
        let format: String
        let arguments: [any Sendable]
        /// The names of the things that the condition finds.
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

    /// Returns the source between the name and the format string.
    private func spelling(_ source: String, _ name: String, _ format: String) -> String {
        guard let start = source.firstRange(of: "\"\(name)\", "), let end = source.firstRange(of: ", \"\(format)\"")
        else { return "" }
        return String(source[start.upperBound..<end.lowerBound])
    }

    /// Returns the table in Markdown.
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

        This page has every operator, for each type of value and for nil. `scripts/operators` writes this page from the
        rows in `Tests/SQLiteTests/Operators`. The tests of these rows run each condition on every backend, in its typed
        form and as a format string. Both forms must find the same objects, and the negated condition must find all
        other objects.

        Each condition is a condition on `Thing`. The store has four objects of this class: `a`, `b`, `c` and `nil`. The
        object `nil` has no values. The others have these values, in this order:

        - `whole`: 1, 2, 3
        - `real`: 1.5, 2.5, 3.5
        - `exact`: 1.1, 2.2, 3.3
        - `flag`: false, true, true
        - `day`: three consecutive dates; no other `Date` lies between them
        - `text`: Abel, Bell, côte
        - `data`: one byte, with the value 1, 2 or 3

        The relationship `friend` of `b` refers to `a`, and the relationship `friend` of `c` refers to `b`. The inverse
        of `friend` is `things`. The column "SQL" shows the condition for SQLite. A dash in the column "typed" means
        that there is no typed form. A dash in the column "finds" means that the condition finds no object. `.loose` is
        `[.caseInsensitive, .diacriticInsensitive]`.

        """
}
