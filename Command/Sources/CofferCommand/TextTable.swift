/// Formats a table of strings with aligned columns and a header line.
struct TextTable {
    enum Alignment {
        case left, right
    }

    private let columns: [(title: String, alignment: Alignment)]
    private var rows: [[String]] = []

    init(_ columns: [(title: String, alignment: Alignment)]) { self.columns = columns }

    mutating func append(_ cells: [String]) { rows.append(cells.map(Terminal.printable)) }

    /// The lines, without space at their ends.
    var lines: [String] {
        let widths = columns.indices.map { column in
            max(columns[column].title.count, rows.map { $0[column].count }.max() ?? 0)
        }
        let head = line(columns.map(\.title), widths)
        let rule = widths.map { String(repeating: "─", count: $0) }.joined(separator: "  ")
        return [Terminal.bold(head), rule] + rows.map { line($0, widths) }
    }

    private func line(_ cells: [String], _ widths: [Int]) -> String {
        let padded = cells.indices.map { column in
            let space = String(repeating: " ", count: max(0, widths[column] - cells[column].count))
            return columns[column].alignment == .left ? cells[column] + space : space + cells[column]
        }
        var text = padded.joined(separator: "  ")
        while text.last == " " { text.removeLast() }
        return text
    }
}
